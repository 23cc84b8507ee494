"""A table outlives a session: kept for a visitor, found by the cookie, forgotten on request."""

import asyncio
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from probtrees.ui.server import NamedTab, page_routes
from probtrees.ui.shared import kept_session
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.bounded_cache import Upload
from probtrees.ui.shared.session.kept_tables import (
    COOKIE,
    KEEP,
    LAST,
    RECORDS,
    TAB_HEADERS,
    KeptTables,
    SavedSession,
    kept_tables,
)
from tests.app.app_page import field, give, press, ran, visit, words_of

CONTENT = (
    "x,z,ill\n" + "".join(f"{i % 9},{i // 3 % 4},{'yn'[i % 2]}\n" for i in range(60))
).encode()
OWN = Upload("own.csv", CONTENT)
OTHER = Upload("other.csv", b"p,q\n1,2\n")
VIEW = {"reading": {}, "choices": {}}
SAMPLE = SavedSession("stroke", view=VIEW)


def of(upload: Upload) -> SavedSession:
    """Return what is kept of a table."""
    return SavedSession.of(upload, "", VIEW)


def test_what_is_kept_comes_back_to_its_visitor_only(tmp_path: Path) -> None:
    tables = KeptTables(tmp_path)
    tables.keep("a", LAST, of(OWN))
    assert tables.find("a", LAST) == of(OWN)
    assert tables.find("b", LAST) is None
    (place,) = tmp_path.iterdir()
    assert place.name != "a"
    assert not stat.S_IMODE(place.stat().st_mode) & 0o077
    tables.keep("a", LAST, of(OTHER))
    assert tables.find("a", LAST) == of(OTHER)
    assert len(list(place.iterdir())) == 2
    tables.forget("a", OTHER.digest)
    assert tables.find("a", LAST) is None
    assert not place.exists()


def test_every_name_finds_its_own_until_its_table_is_forgotten(tmp_path: Path) -> None:
    tables, found = KeptTables(tmp_path), f"{RECORDS}comparisons"
    runs, nothing = (SavedSession("", view={"found": [text]}) for text in (OWN.digest, "none"))
    kept = {"view 1": of(OWN), "view 2": of(OTHER), "view 3": SAMPLE, LAST: of(OTHER)}
    kept |= {f"{found} 1": runs, f"{found} 2": nothing, f"{RECORDS}validate 1": of(OWN)}
    for name, shown in kept.items():
        tables.keep("a", name, shown)
    for name, shown in kept.items():
        assert tables.find("a", name) == shown
        assert tables.find("b", name) is None
    assert tables.find("a", "view 4") is None
    assert tables.find("a", "view 4", "view 1") == of(OWN), "a tab that was copied from the first"
    assert tables.last_name("a") == OTHER.name
    assert tables.has_table("a", OWN.digest)
    tables.forget("a", OWN.digest)
    assert not tables.has_table("a", OWN.digest)
    gone = {"view 1", f"{found} 1", f"{RECORDS}validate 1"}
    assert {name for name in kept if tables.find("a", name) is None} == gone
    assert KeptTables(tmp_path, seconds=-1).find("a", f"{found} 2") is None


@pytest.mark.slow
def test_tabs_of_one_visitor_are_bounded(tmp_path: Path) -> None:
    long = 500 * CONTENT
    tables = KeptTables(tmp_path, most_bytes=2 * len(long))
    for number in range(60):
        tables.keep("a", f"view {number}", of(Upload("t.csv", long + b"\n" * (number // 20))))
    files = [file.name for file in tables._place("a").iterdir()]
    assert sum(name.endswith(".json") for name in files) <= 50
    assert sum(not name.endswith(".json") for name in files) == 1
    assert tables.find("a", "view 59") is not None


def test_what_is_old_or_too_much_goes(tmp_path: Path) -> None:
    tables = KeptTables(tmp_path, most_bytes=3 * len(CONTENT))
    for age, visitor in enumerate("abc"):
        tables.keep(visitor, LAST, of(Upload(f"{visitor}.csv", CONTENT + b"\n" * age)))
        for file in tables._place(visitor).iterdir():
            os.utime(file, (file.stat().st_mtime - 100 * (5 - age),) * 2)
    tables.keep("d", LAST, of(OWN))
    assert tables.find("a", LAST) is None
    assert tables.find("d", LAST) is not None
    assert KeptTables(tmp_path, seconds=50).find("c", LAST) is None
    KeptTables(tmp_path, seconds=50).tidy()
    assert [place.name for place in tmp_path.iterdir()] == [tables._place("d").name]


@pytest.mark.parametrize("damage", ["view.json", "table"])
def test_what_is_damaged_is_as_if_it_were_not_there(tmp_path: Path, damage: str) -> None:
    tables = KeptTables(tmp_path)
    tables.keep("a", LAST, of(OWN))
    place = tables._place("a")
    (place / (OWN.digest if damage == "table" else damage)).write_bytes(b"rubbish")
    assert tables.find("a", LAST) is None


def test_nothing_is_kept_unless_the_server_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(KEEP, raising=False)
    assert kept_tables() is None


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> KeptTables:
    """Keep the tables of every session as those of one visitor."""
    found = KeptTables(tmp_path)
    monkeypatch.setattr(kept_session, "kept_tables", lambda: found)
    monkeypatch.setattr(kept_session, "_visitor", lambda: "me")
    return found


def test_a_new_session_takes_up_the_table_with_all_that_was_said_and_chosen(
    tables: KeptTables,
) -> None:
    first = give(visit("data"), CONTENT, "own.csv")
    field(first, "**3 · What may not be used?**").set_value(["z"])
    field(ran(first), "**2 · Which outcome?**").set_value("y")
    first.session_state["c45.min_leaf"] = 7
    ran(first)
    second = visit("data", {"v": "1", "own": "1"})
    assert state.UPLOAD not in second.session_state, "another tab shows the sample"
    press(second, "Go on with own.csv")
    assert second.session_state[state.UPLOAD] == OWN
    assert "60 rows" in words_of(second)
    assert "This link" not in words_of(second)
    assert field(second, "**3 · What may not be used?**").value == ["z"]
    assert field(second, "**2 · Which outcome?**").value == "y"
    assert second.session_state["c45.min_leaf"] == 7
    assert state.UPLOAD not in visit("data", {"sample": "iris"}).session_state


def test_a_table_that_is_forgotten_is_gone_with_all_that_was_said(tables: KeptTables) -> None:
    first = give(visit("data"), CONTENT, "own.csv")
    first.session_state[f"{state.NOTE}({OWN.digest}) 2"] = "look here"
    press(ran(first), "Delete it")
    assert tables.find("me", LAST) is None
    assert f"{state.NOTE}({OWN.digest}) 2" not in first.session_state
    lost = visit("data", {"own": "1", "outcome": "1"})
    assert state.UPLOAD not in lost.session_state
    assert state.OUTCOME not in lost.session_state
    assert "This link was made on an uploaded table" in words_of(lost)


def test_what_was_said_about_a_table_put_by_outlives_the_session(tables: KeptTables) -> None:
    first = give(visit("data"), CONTENT, "own.csv")
    field(first, "**3 · What may not be used?**").set_value(["z"])
    give(ran(first), CONTENT.replace(b"x,", b"w,"), "other.csv")
    assert field(first, "**3 · What may not be used?**").value == []
    second = give(press(visit("data"), "Go on with other.csv"), CONTENT, "own.csv")
    assert field(second, "**3 · What may not be used?**").value == ["z"]


def test_a_tab_names_itself_when_it_connects() -> None:
    seen: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.extend(scope["headers"])

    query = b"tab=0a1b&copied=ff&other=1"
    scope = {"type": "websocket", "query_string": query, "headers": [(b"host", b"h")]}
    asyncio.run(NamedTab(app)(scope, None, None))  # type: ignore[arg-type]
    tab, copied = TAB_HEADERS["tab"].lower().encode(), TAB_HEADERS["copied"].lower().encode()
    assert seen == [(b"host", b"h"), (tab, b"0a1b"), (copied, b"ff")]


def headers_of(path: str, cookie: str = "") -> list[str]:
    client = TestClient(Starlette(routes=page_routes()))
    return client.get(path, headers={"cookie": cookie} if cookie else {}).headers.get_list(
        "set-cookie"
    )


def test_a_browser_gets_one_cookie_that_pages_cannot_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEEP, "1")
    (cookie,) = headers_of("/tree")
    assert cookie.startswith(f"{COOKIE}=")
    assert {"HttpOnly", "SameSite=lax"} <= set(cookie.split("; "))
    (other,) = headers_of("/tree")
    assert other != cookie
    assert headers_of("/tree", cookie.split(";")[0]) == []
    assert headers_of("/nothing") == []
