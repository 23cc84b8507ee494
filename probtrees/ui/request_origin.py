"""Who may talk to the server: pages of its own, under names that are its own.

A page from elsewhere could have its name point to this machine and then speak to the server as
if it were one of its own pages (DNS rebinding). So a request must name this server as its host:
by an address, by ``localhost`` if that is where it listens, or by a name that whoever started it
allows. And what it answers may not be shown inside a foreign page, unless that is named when the
server is started, nor ask anybody else.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlsplit

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_LOCAL = ("localhost", "127.0.0.1", "::1")
_REFUSED = (
    "host={host!r} must be a name of this server. Start it with 'probtrees app --allow-host NAME' "
    "if it is reached by that name."
)


@dataclass(frozen=True)
class Hosts:
    """The names under which the server is reached.

    Attributes
    ----------
    names : in lower case; ``*.example.org`` stands for all names below
    any_address : whether an address will do, as where other machines are let in
    """

    names: frozenset[str] = frozenset(_LOCAL)
    any_address: bool = False

    @classmethod
    def of(cls, address: str, allowed: Iterable[str]) -> Hosts:
        """Find the names of a server that listens on an address."""
        names = {*_LOCAL, address.lower(), *(name.lower().rstrip(".") for name in allowed)}
        is_open = address not in _LOCAL
        if is_open:
            names.add(socket.gethostname().lower())
        return cls(frozenset(names), is_open)

    def include(self, host: str | None) -> bool:
        """Whether a host, with or without a port, is this server.

        >>> hosts = Hosts.of("127.0.0.1", ["*.example.org"])
        >>> hosts.include("localhost:8501"), hosts.include("a.example.org"), hosts.include("b.org")
        (True, True, False)
        """
        try:
            name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
        except ValueError:
            return False
        if name in self.names or "*" in self.names:
            return True
        if any(known.startswith("*.") and name.endswith(known[1:]) for known in self.names):
            return True
        return self.any_address and _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


@dataclass
class RefuseStrangers:
    """Answers only requests to this server by its own pages, and tells browsers to keep to it."""

    app: ASGIApp
    allowed: tuple[str, ...] = ()
    embedders: tuple[str, ...] = ()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host, origin = headers.get("host"), headers.get("origin")
        if not self._known.include(host) or not self._is_own(origin, host, scope["type"]):
            await _refuse(scope, receive, send, host if self._is_own(origin, host, "") else origin)
            return

        is_closed = False

        async def receive_watched() -> Message:
            nonlocal is_closed
            message = await receive()
            is_closed = is_closed or message["type"] == "websocket.disconnect"
            return message

        async def send_guarded(message: Message) -> None:
            nonlocal is_closed
            if message["type"] == "http.response.start":
                _guard(MutableHeaders(scope=message), host or "", self.embedders)
            if is_closed and message["type"].startswith("websocket."):
                return  # what a page was still being sent when its visitor left
            is_closed = message["type"] == "websocket.close"
            await send(message)

        await self.app(scope, receive_watched, send_guarded)

    @cached_property
    def _known(self) -> Hosts:
        """The names of this server, once its options are known."""
        named = (*self.allowed, *st.get_option("server.allowedHosts"))
        named += (st.get_option("browser.serverAddress") or "localhost",)
        return Hosts.of(st.get_option("server.address") or "0.0.0.0", named)

    def _is_own(self, origin: str | None, host: str | None, kind: str) -> bool:
        """Whether a page of this server asks; asking for a page needs no origin at all."""
        if origin is None or (kind == "http" and origin == "null"):
            return True
        try:
            from_host = urlsplit(origin).netloc
        except ValueError:
            return False
        return from_host == host or self._known.include(from_host)


async def _refuse(scope: Scope, receive: Receive, send: Send, name: str | None) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008})
        return
    response = PlainTextResponse(_REFUSED.format(host=(name or "")[:100]), status_code=403)
    await response(scope, receive, send)


def _guard(headers: MutableHeaders, host: str, embedders: tuple[str, ...]) -> None:
    """Let browsers ask nobody but this server, and show it in no page but those allowed to."""
    frames = " ".join(("'self'", *embedders))
    headers["Content-Security-Policy"] = (
        "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; "
        f"connect-src 'self' ws://{host} wss://{host} data: blob:; "
        "object-src 'none'; base-uri 'self'; form-action 'self'; "
        f"frame-ancestors {frames}"
    )
    if not embedders:  # the older header knows no list
        headers["X-Frame-Options"] = "SAMEORIGIN"
    headers["X-Content-Type-Options"] = "nosniff"
    headers["Referrer-Policy"] = "same-origin"
