"""The app's web server: Streamlit's application with routes of our own.

Opened by a link to one of its pages, Streamlit's web page asks for its server below that page
first and hears twice that nothing is there: two errors in the browser's console, and a moment
lost. The names of the pages are known here, so their routes answer with a web page that knows
its server, also behind a proxy that adds a path of its own.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import importlib
import os
import secrets
import sys
import threading
import webbrowser
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import cache
from importlib.resources import files
from pathlib import Path
from pkgutil import iter_modules
from typing import Any
from urllib.parse import parse_qsl

import pyarrow as pa
import streamlit as st
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import net_util, runtime
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime import memory_session_storage, memory_uploaded_file_manager
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.pages_manager import PagesManager

from probtrees.experiment.registry import DEFAULT_SMOOTHER
from probtrees.experiment.warm_up import is_compiling
from probtrees.machine.bundled import bundled
from probtrees.ui.learn.class_routes import class_routes
from probtrees.ui.request_origin import RefuseStrangers
from probtrees.ui.shared.session.bounded_cache import BoundedFiles, bounded_cache
from probtrees.ui.shared.session.kept_tables import COOKIE, KEEP, TAB_HEADERS

_HEAD = "<head>"
_ASSETS = Path(__file__).parent / "shared" / "assets"
_TAB_SCRIPT, _HISTORY_SCRIPT = _ASSETS / "tab_id.js", _ASSETS / "one_entry.js"
_COOKIE_SECONDS = 30 * 24 * 3600
LOOK_EVERY = 20.0
"""Seconds between two looks for sessions that nobody came back to."""


def serve(
    config: Mapping[str, Any], allowed_hosts: Sequence[str] = (), embedders: Sequence[str] = ()
) -> None:
    """Serve the app in this process until it is stopped.

    Parameters
    ----------
    config : Streamlit's options by name, such as ``server.port``
    allowed_hosts : further names by which the server is reached
    embedders : sites whose pages may show the app in a frame
    """
    script = str(bundled("app.py"))
    # Streamlit looks for its settings beside the script that was started.
    sys.argv = [script]
    # Until app.py has run once, Streamlit takes pages/ for a list of scripts of their own, and
    # a visitor who comes first by a link to a page would see it without its frame.
    PagesManager.uses_pages_directory = False
    _keep_to_oneself()
    guard = [Middleware(RefuseStrangers, allowed=tuple(allowed_hosts), embedders=tuple(embedders))]
    if os.environ.get(KEEP) == "1":
        guard.append(Middleware(NamedTab))
    routes = _front_routes() + page_routes() + class_routes()
    app = st.App(script, routes=routes, lifespan=_open_browser, middleware=guard)
    app.run(config=config)


def _keep_to_oneself() -> None:
    """Keep Streamlit from asking outside, from watching files, and from keeping what is not needed.

    To judge a foreign page it would ask a server on the internet for this machine's address. And
    though files are not watched (``server.fileWatcherType``), it would go over all modules for
    every lost connection that comes back, while all others wait. Before it listens it would read
    about all installed packages, for components; those of the app are its own.
    """
    setattr(net_util, "get_external_ip", _nothing)  # noqa: B010 - no method of ours
    setattr(net_util, "get_internal_ip", _nothing)  # noqa: B010
    setattr(AppSession, "register_file_watchers", _nothing)  # noqa: B010
    setattr(manifest_scanner, "scan_component_manifests", list)  # noqa: B010
    setattr(memory_session_storage, "MemorySessionStorage", ForgettingStorage)  # noqa: B010
    setattr(memory_uploaded_file_manager, "MemoryUploadedFileManager", BoundedFiles)  # noqa: B010


def _nothing(*_: object) -> None:
    """Do nothing, and know nothing."""


class NamedTab:
    """Hands the name of the tab, which it gives when it connects, to the scripts as headers."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Add the headers to a connection whose address names the tab."""
        if scope["type"] == "websocket":
            given = dict(parse_qsl(scope["query_string"].decode("latin-1")))
            named = ((header, given[part]) for part, header in TAB_HEADERS.items() if part in given)
            added = [(name.lower().encode(), value.encode()) for name, value in named]
            scope = {**scope, "headers": [*scope["headers"], *added]}
        await self.app(scope, receive, send)


def page_names() -> list[str]:
    """List the names of the pages by their files.

    The pages themselves import nearly everything; the server listens before they are ready.
    """
    return sorted(path.stem for path in bundled("pages").glob("*.py"))


def page_routes() -> list[Route]:
    """Make the routes of the pages, below any path; capital letters lead to the small ones."""
    return [
        Route(f"{prefix}/{spelt}", _page if spelt == name else _in_small_letters, methods=["GET"])
        for name in page_names()
        for spelt in (name, name.capitalize(), name.upper())
        for prefix in ("", "/{prefix:path}")
    ]


async def _in_small_letters(request: Request) -> RedirectResponse:
    """Lead to the page beside this address, wherever a proxy has put both."""
    name = request.url.path.rpartition("/")[2].lower()
    return RedirectResponse(f"{name}?{request.url.query}" if request.url.query else name)


def _front_routes() -> list[Route]:
    """Make the route of the front page, also below a path that Streamlit knows."""
    base = (st.get_option("server.baseUrlPath") or "").strip("/")
    return [Route(f"/{base}/" if base else "/", _page, methods=["GET"])]


async def _page(request: Request) -> HTMLResponse:
    """Send the web page, once with the cookie by which a browser's table is found again.

    Scripts of a page cannot read it, and other sites cannot have it sent for them.
    """
    keeps = os.environ.get(KEEP) == "1"
    page = HTMLResponse(_web_page(keeps), headers={"Cache-Control": "no-cache"})
    if keeps and COOKIE not in request.cookies:
        name, age = secrets.token_hex(32), _COOKIE_SECONDS
        page.set_cookie(COOKIE, name, max_age=age, httponly=True, samesite="lax")
    return page


@cache
def _web_page(keeps: bool) -> str:
    """Add to Streamlit's web page that the server is where the page's name is left off.

    The first view of a page takes the place of its bare address in the browser's history. Where
    tables are kept, the tab gives itself a name too.
    """
    names = "|".join(page_names())
    script = (
        "<script>window.__streamlit = { BACKEND_BASE_URL: location.origin + "
        f"location.pathname.replace(/({names})\\/?$/, '') }};</script>"
    )
    script += f"<script>{_HISTORY_SCRIPT.read_text(encoding='utf-8')}</script>"
    if keeps:
        script += f"<script>{_TAB_SCRIPT.read_text(encoding='utf-8')}</script>"
    page = files("streamlit").joinpath("static", "index.html").read_text(encoding="utf-8")
    return page.replace(_HEAD, _HEAD + script, 1)


@asynccontextmanager
async def _open_browser(_: st.App) -> AsyncIterator[None]:
    """Open a browser once the server answers, unless there is nobody to look at it.

    While the browser starts, the pages are imported.
    """
    if not st.get_option("server.headless"):
        scheme = "https" if st.get_option("server.sslCertFile") else "http"
        place = f"{st.get_option('browser.serverAddress')}:{st.get_option('server.port')}"
        path = (st.get_option("server.baseUrlPath") or "").strip("/")
        url = f"{scheme}://{place}/{path}"
        asyncio.get_running_loop().call_soon(webbrowser.open, url)
    threading.Thread(target=_get_ready, daemon=True, name="warm-up").start()
    forgetting = asyncio.create_task(forget_gone_visitors())
    yield
    forgetting.cancel()


def _get_ready() -> None:
    """Import the pages, and load what the first one needs of the kernels that are kept.

    On a first start other processes compile them.
    """
    importlib.import_module("probtrees.ui.pages")
    front = importlib.import_module("probtrees.ui.tree")
    for part in iter_modules(front.__path__, "probtrees.ui.tree."):
        importlib.import_module(part.name)
    if not is_compiling():
        ready = importlib.import_module("probtrees.experiment.warm_up")
        ready.warm_up(smoothers=(DEFAULT_SMOOTHER,))


# What visitors leave behind is given back once they are gone. Streamlit keeps a lost session for
# two minutes, in case its visitor comes back, but drops it only when the next one is lost, and
# keeps the files it uploaded for good.
class ForgettingStorage(MemorySessionStorage):
    """Ends the sessions that it drops, so that their uploads are dropped as well."""

    def save(self, session_info: Any) -> None:
        """Keep a lost session for a while; where there are too many, the oldest ends now."""
        self.forget()
        while len(self._cache) >= self._cache.maxsize:  # type: ignore[attr-defined]
            _, oldest = self._cache.popitem()
            _end(oldest.session)
        super().save(session_info)

    def forget(self) -> int:
        """End the sessions that nobody came back to in time; return how many."""
        gone = self._cache.expire()  # type: ignore[attr-defined]
        for _, lost in gone:
            _end(lost.session)
        return len(gone)


def _end(session: Any) -> None:
    """End a session, and let go what only its visitor asked for."""
    session.shutdown()
    bounded_cache().leave(session.id)


async def forget_gone_visitors() -> None:
    """Look for gone visitors now and then, also while nobody comes."""
    while True:
        await asyncio.sleep(LOOK_EVERY)
        if not runtime.exists():
            continue
        manager = getattr(runtime.get_instance(), "_session_mgr", None)
        storage = getattr(manager, "_session_storage", None)
        if isinstance(storage, ForgettingStorage) and storage.forget():
            await asyncio.to_thread(_give_back)


def _give_back() -> None:
    """Return memory that is no longer used to the system."""
    gc.collect()
    pa.default_memory_pool().release_unused()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)  # glibc holds on to small pieces otherwise
