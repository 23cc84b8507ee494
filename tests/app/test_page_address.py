"""The line that tells the web page where its server is."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from probtrees.cli.page_address import PAGES, PageAddress

PAGE = b"<html><head><title>x</title></head></html>"


def ask(path: str, *, status: int = 200) -> tuple[dict[str, Any], bytes]:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        headers = [(b"content-length", str(len(PAGE)).encode()), (b"x-other", b"1")]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": PAGE[:10], "more_body": True})
        await send({"type": "http.response.body", "body": PAGE[10:]})

    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "path": path, "method": "GET"}
    asyncio.run(PageAddress(app)(scope, None, send))  # type: ignore[arg-type]
    return sent[0], b"".join(message.get("body", b"") for message in sent[1:])


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_told_its_server(page: str) -> None:
    start, body = ask(f"/behind/a/proxy/{page}")
    assert body.startswith(b"<html><head><script>window.__streamlit")
    assert body.endswith(b"</script><title>x</title></head></html>")
    assert dict(start["headers"]) == {b"content-length": str(len(body)).encode(), b"x-other": b"1"}


@pytest.mark.parametrize("path", ["/", "/static/app.js", "/_stcore/health", "/network/other"])
def test_all_else_is_passed_on(path: str) -> None:
    assert ask(path)[1] == PAGE


def test_an_answer_without_a_page_is_passed_on() -> None:
    assert ask("/network", status=304)[1] == PAGE
