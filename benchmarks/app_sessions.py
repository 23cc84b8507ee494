"""Many sessions of the app at once, without browsers: what a server is asked when a class opens a link.

Speaks the app's own protocol over a web socket, as a browser does, and waits until the page is
complete. So what is timed is the server's work, not that of sixty browsers on one machine.
"""

from __future__ import annotations

import asyncio
import time

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import connect


async def open_page(port: int, page: str, query: str) -> tuple[float, str]:
    """Open a page in a session of its own; return the seconds it took, and all it said."""
    start = time.perf_counter()
    said = []
    address = f"ws://127.0.0.1:{port}/_stcore/stream"
    async with connect(address, subprotocols=["streamlit"], max_size=None, open_timeout=120, ping_interval=None) as socket:
        ask = BackMsg()
        ask.rerun_script.query_string = query
        ask.rerun_script.page_name = page
        await socket.send(ask.SerializeToString())
        while True:
            answer = ForwardMsg.FromString(await socket.recv())
            said.append(str(answer.delta.new_element)[:2000])
            if answer.WhichOneof("type") == "script_finished":
                break
    return time.perf_counter() - start, "\n".join(said)


async def open_many(n_sessions: int, port: int, page: str, query: str) -> list[tuple[float, str]]:
    """Open the same page in many sessions at once."""
    return list(await asyncio.gather(*(open_page(port, page, query) for _ in range(n_sessions))))


def class_opens_link(port: int, query: str, expected: str, n_sessions: int = 60) -> list[float]:
    """Let a class open one link of the Learn page; return how long each session waited."""
    answers = asyncio.run(open_many(n_sessions, port, "learn", query))
    for _, said in answers:
        if expected not in said:
            raise RuntimeError(f"a session was not shown {expected!r}: {said[-500:]}")
    return sorted(seconds for seconds, _ in answers)
