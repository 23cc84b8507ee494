"""Who may talk to the server: pages of its own, under names that are its own.

A page from elsewhere could have its name point to this machine and then speak to the server as
if it were one of its own pages (DNS rebinding). So a request must name this server as its host:
by an address, by ``localhost`` if that is where it listens, or by a name that whoever started it
allows. A page on another port of the same machine is foreign too, though cookies know no ports: who
connects, or sends something, must come from the very host and port that is asked. And what it
answers may not be shown inside a foreign page, unless that is named when the server is started, nor
ask anybody else.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_LOCAL = ("localhost", "127.0.0.1", "::1")
_PORTS = {"http": 80, "https": 443}
_HOST = re.compile(r"(?P<name>[\w.*-]+|\[[\w:.%]+\])(:\d{1,5})?")
_ORIGIN = re.compile(rf"(?P<scheme>https?)://(?P<place>{_HOST.pattern})")
_METRICS = "/_stcore/metrics"
_REFUSED = (
    "host={host!r} must be a name of this server. Start it with 'probtrees app --allow-host NAME' "
    "if it is reached by that name, or NAME:PORT behind a proxy on another port."
)


@dataclass(frozen=True)
class Hosts:
    """The names under which the server is reached.

    Attributes
    ----------
    names : in lower case; ``*.example.org`` stands for all names below
    any_address : whether an address will do, as where other machines are let in
    proxies : those that were allowed, with their ports, if not the usual ones: pages come from
        there though the proxy asks for the server by another name
    """

    names: frozenset[str] = frozenset(_LOCAL)
    any_address: bool = False
    proxies: frozenset[str] = frozenset()

    @classmethod
    def of(cls, address: str, allowed: Iterable[str]) -> Hosts:
        """Find the names of a server that listens on an address."""
        proxies = frozenset(name.lower().rstrip(".") for name in allowed)
        names = {*_LOCAL, address.lower(), *map(_without_port, proxies)}
        is_open = address not in _LOCAL
        if is_open:
            names.add(socket.gethostname().lower())
        return cls(frozenset(names), is_open, proxies)

    def include(self, host: str | None) -> bool:
        """Whether a host, with or without a port, is this server.

        >>> hosts = Hosts.of("127.0.0.1", ["*.example.org"])
        >>> hosts.include("localhost:8501"), hosts.include("a.example.org"), hosts.include("b.org")
        (True, True, False)
        """
        name = _without_port(host or "")
        return _is_among(name, self.names) or (self.any_address and _is_address(name))

    def sent(self, origin: str, host: str | None) -> bool:
        """Whether a page of that origin is one of this server, which was asked for as a host.

        >>> hosts = Hosts.of("127.0.0.1", ["proxy.org:8080"])
        >>> hosts.sent("http://localhost:8501", "localhost:8501")
        True
        >>> hosts.sent("http://localhost:8739", "localhost:8501")
        False
        >>> hosts.sent("http://proxy.org:8080", "localhost:8501")
        True
        """
        page = _ORIGIN.fullmatch(origin.lower())
        if page is None:
            return False
        usual = _PORTS[page["scheme"]]
        place = page["place"].removesuffix(f":{usual}")
        return place == (host or "").lower().removesuffix(f":{usual}") or _is_among(
            place, self.proxies
        )


def _without_port(host: str) -> str:
    """Return the name of a host; nothing where it cannot be one."""
    found = _HOST.fullmatch(host.lower())
    return found["name"].strip("[]").rstrip(".") if found else ""


def _is_among(name: str, known: Iterable[str]) -> bool:
    """Whether a name is known, or lies below one that is known with all its names."""
    return any(
        one in (name, "*") or (one.startswith("*.") and name.endswith(one[1:])) for one in known
    )


def _is_here(scope: Scope, headers: Headers) -> bool:
    """Whether a request comes from this machine itself, and not through a proxy on it."""
    return (scope.get("client") or ("",))[0] in _LOCAL and "x-forwarded-for" not in headers


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
        is_own = self._is_own(origin, host, reads=scope.get("method") in ("GET", "HEAD"))
        if scope.get("path", "").endswith(_METRICS) and not _is_here(scope, headers):
            is_own, origin = False, "elsewhere"  # how many visitors there are is nobody's business
        if not self._known.include(host) or not is_own:
            await _refuse(scope, receive, send, host if is_own else origin)
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
        allowed = (*self.allowed, *st.get_option("server.allowedHosts"))
        hosts = Hosts.of(st.get_option("server.address") or "0.0.0.0", allowed)
        shown = st.get_option("browser.serverAddress") or "localhost"
        return replace(hosts, names=hosts.names | {shown.lower()})

    def _is_own(self, origin: str | None, host: str | None, *, reads: bool) -> bool:
        """Whether a page of this server asks; programs name no origin, nor do links to a page.

        Browsers let no foreign page see what it reads, so there only a name is refused.
        """
        if origin is None or (reads and origin == "null"):
            return True
        return self._known.sent(origin, host)


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
