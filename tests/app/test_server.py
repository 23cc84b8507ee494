"""The server's own routes: pages that know where their server is."""

from importlib.resources import files

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from probtrees.ui import server
from probtrees.ui.pages import PAGES
from probtrees.ui.server import page_names, page_routes
from probtrees.ui.shared.session.kept_tables import KEEP

NAMES = [page.name for page in PAGES]


def ask(path: str, method: str = "GET") -> tuple[int, str]:
    found = TestClient(Starlette(routes=page_routes())).request(method, path)
    return found.status_code, found.text


@pytest.mark.parametrize("prefix", ["", "/behind/a/proxy"])
@pytest.mark.parametrize("page", NAMES)
def test_a_page_knows_its_server(page: str, prefix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(KEEP, raising=False)
    status, body = ask(f"{prefix}/{page}")
    assert status == 200
    before, script, after = body.partition(
        "<script>window.__streamlit = { BACKEND_BASE_URL: location.origin + "
        "location.pathname.replace(/(compare|data|learn|network|tree)\\/?$/, '') };</script>"
    )
    assert script
    one_entry = files("probtrees").joinpath("ui", "shared", "assets", "one_entry.js")
    history = f"<script>{one_entry.read_text(encoding='utf-8')}</script>"
    assert after.startswith(history)
    original = files("streamlit").joinpath("static", "index.html").read_text(encoding="utf-8")
    assert before + after.removeprefix(history) == original
    assert before.endswith("<head>")


@pytest.mark.parametrize("path", ["/", "/static/app.js", "/_stcore/health", "/network/other"])
def test_all_else_is_left_to_streamlit(path: str) -> None:
    assert ask(path)[0] == 404


def test_capital_letters_lead_to_the_page() -> None:
    client = TestClient(Starlette(routes=page_routes()), follow_redirects=False)
    found = client.get("/behind/Network?sample=iris")
    assert found.status_code == 307
    assert found.headers["location"] == "network?sample=iris"
    assert client.get("/DATA").headers["location"] == "data"


def test_the_files_of_the_pages_are_the_pages() -> None:
    assert page_names() == sorted(page.name for page in PAGES)


def test_only_reading_a_page_is_answered() -> None:
    assert ask("/network", "POST")[0] == 405


@pytest.mark.parametrize(("base", "path"), [("", "/"), ("/lab/", "/lab/")])
def test_the_front_page_is_one_of_ours_below_a_path_too(monkeypatch, base, path) -> None:
    monkeypatch.setattr(server.st, "get_option", {"server.baseUrlPath": base}.get)
    (front,) = server._front_routes()
    assert (front.path, front.endpoint) == (path, server._page)
