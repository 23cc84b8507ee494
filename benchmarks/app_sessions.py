"""Many sessions of the app at once, without browsers: what a class opening one link asks of it.

Speaks the app's own protocol over a web socket, as a browser does, and waits until the page
shows what it should. So what is timed is the server's work, not that of sixty browsers.
"""

from __future__ import annotations

import asyncio
import time

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

PATIENCE = 120.0
"""Seconds after which a session that was not shown what it should be is given up."""


async def wait_for_page(port: int, page: str, query: str, expected: str) -> float:
    """Open a page in a session of its own; return the seconds until it showed a text."""
    start = time.perf_counter()
    address = f"ws://127.0.0.1:{port}/_stcore/stream"
    protocol = Subprotocol("streamlit")
    async with connect(
        address, subprotocols=[protocol], max_size=None, open_timeout=PATIENCE, ping_interval=None
    ) as socket:
        while expected not in await _run_page(socket, page, query):
            if time.perf_counter() - start > PATIENCE:
                raise RuntimeError(f"a session was not shown {expected!r}")
            await asyncio.sleep(0.3)  # a browser asks again, too, while a job is at work
        return time.perf_counter() - start


async def _run_page(socket: ClientConnection, page: str, query: str) -> str:
    """Let the page run once; return all it said."""
    ask = BackMsg()
    ask.rerun_script.query_string = query
    ask.rerun_script.page_name = page
    await socket.send(ask.SerializeToString())
    said = []
    while True:
        answer = ForwardMsg.FromString(bytes(await socket.recv(decode=False)))
        said.append(str(answer.delta.new_element))
        if answer.WhichOneof("type") == "script_finished":
            return "\n".join(said)


def class_opens_link(port: int, query: str, expected: str, n_sessions: int = 60) -> list[float]:
    """Let a class open one link of the Learn page; return how long each session waited."""

    async def open_all() -> list[float]:
        waits = (wait_for_page(port, "learn", query, expected) for _ in range(n_sessions))
        return list(await asyncio.gather(*waits))

    return sorted(asyncio.run(open_all()))
