"""The address of the server, written into the app's web page, so that it need not guess.

Opened by a link to one of its pages, Streamlit's web page asks for its server below that page
first and twice finds nothing there: two errors in the browser's console, and a moment
lost. The name of the page is known here, so the rest of the address is that of the server, also
behind a proxy that adds a path of its own.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

PAGES = ("tree", "network", "compare", "learn", "data")
"""Pages that have an address of their own."""

_SCRIPT = (
    "<script>window.__streamlit = { BACKEND_BASE_URL: location.origin + "
    f"location.pathname.replace(/({'|'.join(PAGES)})\\/?$/, '') }};</script>"
).encode()
_HEAD = b"<head>"

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]


class PageAddress:
    """ASGI middleware that adds one line to the web page, and passes on all else as it is."""

    def __init__(self, app: Application) -> None:
        self.app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Pass a request on; the page itself gets its line."""
        name = str(scope.get("path", "")).rpartition("/")[2]
        if scope["type"] != "http" or name not in PAGES or scope.get("method") != "GET":
            await self.app(scope, receive, send)
            return
        start: Message = {}
        body = bytearray()

        async def hold(message: Message) -> None:
            if message["type"] == "http.response.start":
                start.update(message)
                return
            body.extend(message.get("body", b""))
            if not message.get("more_body", False):
                await self._finish(start, bytes(body), send)

        await self.app(scope, receive, hold)

    async def _finish(self, start: Message, body: bytes, send: Send) -> None:
        """Send the whole answer with the line in its head, and its new length."""
        if start.get("status") == 200:
            body = body.replace(_HEAD, _HEAD + _SCRIPT, 1)
            length = (b"content-length", str(len(body)).encode())
            kept = [pair for pair in start["headers"] if pair[0].lower() != length[0]]
            start = {**start, "headers": [*kept, length]}
        await send(start)
        await send({"type": "http.response.body", "body": body, "more_body": False})
