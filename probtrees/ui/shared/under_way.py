"""What a page does while it cannot show anything else yet: said in a line, with a way out."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import streamlit as st
from streamlit.runtime.scriptrunner import add_script_run_ctx

from probtrees.draw.escape import markdown_text
from probtrees.ui.shared.session.jobs import ENDS_LINE

_AT_ONCE = 0.05
"""Seconds: what takes no longer is not announced, as a line that flashes only disturbs."""


@contextmanager
def under_way(words: str, on_cancel: Callable[[], None] | None = None) -> Iterator[None]:
    """Say what is being done, at once and until it is done.

    The line has a place of its own, so that what follows keeps its own.

    Parameters
    ----------
    on_cancel : what a click on *Cancel* does before the page is made again
    """
    place, lock, done = st.empty(), threading.Lock(), threading.Event()

    def show() -> None:
        with lock:
            if done.is_set():
                return
            line = place.container(horizontal=True, vertical_alignment="center")
            line.markdown(f":material/hourglass_top: {markdown_text(words)}", width="content")
            if on_cancel is not None:
                key = f"cancel {words}"
                line.button("Cancel", icon=":material/stop_circle:", key=key, on_click=on_cancel)

    def end() -> None:
        timer.cancel()
        with lock:
            if not done.is_set():
                done.set()
                place.empty()

    timer = threading.Timer(_AT_ONCE, show)
    timer.daemon = True
    add_script_run_ctx(timer)
    timer.start()
    token = ENDS_LINE.set(end)
    try:
        yield
    finally:
        ENDS_LINE.reset(token)
        end()
