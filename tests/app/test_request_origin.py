"""Foreign pages and foreign names are refused before Streamlit sees them."""

import asyncio
from typing import Any

import pytest
from starlette.responses import PlainTextResponse
from streamlit import net_util
from streamlit.runtime import memory_session_storage
from streamlit.runtime.app_session import AppSession

from probtrees.ui import server
from probtrees.ui.request_origin import Hosts, RefuseStrangers


def ask(
    kind: str = "http",
    allowed: tuple[str, ...] = (),
    embedders: tuple[str, ...] = (),
    method: str = "POST",
    path: str = "/",
    client: str = "127.0.0.1",
    **headers: str,
) -> list[Any]:
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        sent.append(message)

    async def inside(scope: Any, receive: Any, send: Any) -> None:
        if kind == "http":
            await PlainTextResponse("inside")(scope, receive, send)
        else:
            await send({"type": "websocket.accept"})

    guard = RefuseStrangers(inside, allowed, embedders)
    guard.__dict__["_known"] = Hosts.of("127.0.0.1", allowed)
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": kind, "headers": pairs, "method": method, "path": path, "client": (client, 1)}
    asyncio.run(guard(scope, receive, send))
    return sent


OWN = [
    {"host": "localhost:8501"},
    {"host": "127.0.0.1:8501", "origin": "http://127.0.0.1:8501"},
    {"host": "[::1]:8501", "origin": "http://[::1]:8501"},
    {"host": "trees.example.org", "origin": "https://trees.example.org"},
    {"host": "trees.example.org:443", "origin": "https://trees.example.org"},
    {"host": "localhost:8501", "origin": "https://trees.example.org"},
    {"host": "127.0.0.1:8501", "origin": "http://localhost:9000"},
]
FOREIGN = [
    {"host": "evil.example"},
    {"host": "evil.example:8501", "origin": "http://evil.example:8501"},
    {"host": "localhost:8501", "origin": "http://evil.example"},
    {"host": "localhost:8501", "origin": "http://localhost:8739"},
    {"host": "localhost:8501", "origin": "http://127.0.0.1:8501"},
    {"host": "localhost:8501", "origin": "http://localhost"},
    {"host": "localhost:8501", "origin": "file://localhost:8501"},
    {"host": "localhost:8501", "origin": "http://trees.example.org:8080"},
    {"host": "localhost:8501", "origin": "null"},
    {"host": "localhost.evil.example"},
    {"host": "127.0.0.1@evil.example"},
    {"host": "[::1"},
    {"host": "10.0.0.7"},
    {},
]


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize("headers", [*OWN, *FOREIGN])
def test_own_pages_are_answered_and_others_refused(kind: str, headers: dict[str, str]) -> None:
    first = ask(kind, ("*.example.org", "localhost:9000"), **headers)[0]
    expected = (200, "websocket.accept") if headers in OWN else (403, "websocket.close")
    assert first.get("status", first["type"]) in expected


def test_where_others_are_let_in_an_address_is_name_enough() -> None:
    hosts = Hosts.of("0.0.0.0", [])
    assert hosts.include("192.168.1.5:8501")
    assert not hosts.include("rebound.example")


def test_streamlit_asks_nobody_outside_and_watches_no_files(monkeypatch) -> None:
    for place, name in (
        (net_util, "get_external_ip"),
        (net_util, "get_internal_ip"),
        (AppSession, "register_file_watchers"),
        (memory_session_storage, "MemorySessionStorage"),
    ):
        monkeypatch.setattr(place, name, getattr(place, name))
    server._keep_to_oneself()
    assert net_util.get_external_ip() is None
    assert net_util.get_internal_ip() is None
    assert AppSession.register_file_watchers(None) is None


def test_only_sites_that_were_named_may_embed_the_app_and_it_may_ask_nobody_else() -> None:
    alone = dict(ask(host="localhost:8501")[0]["headers"])
    policy = alone[b"content-security-policy"].decode()
    assert policy.endswith("frame-ancestors 'self'")
    assert "http" not in policy.split("connect-src")[0]
    assert alone[b"x-frame-options"] == b"SAMEORIGIN"
    assert alone[b"x-content-type-options"] == b"nosniff"
    site = "https://course.example.org"
    embedded = dict(ask(host="localhost:8501", embedders=(site,))[0]["headers"])
    assert b"x-frame-options" not in embedded
    assert embedded[b"content-security-policy"].endswith(b"'self' https://course.example.org")


@pytest.mark.parametrize(
    ("client", "forwarded", "status"),
    [("127.0.0.1", {}, 200), ("10.0.0.9", {}, 403), ("127.0.0.1", {"x-forwarded-for": "a"}, 403)],
)
def test_only_this_machine_is_told_of_its_visitors(client, forwarded, status) -> None:
    asked = ask(path="/app/_stcore/metrics", client=client, host="localhost:8501", **forwarded)
    assert asked[0]["status"] == status
