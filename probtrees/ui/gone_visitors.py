"""What visitors leave behind is given back once they are gone.

Streamlit keeps a lost session for two minutes, in case its visitor comes back, but drops it only
when the next one is lost, and keeps the files it uploaded for good.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import sys
from typing import Any

import pyarrow as pa
from streamlit import runtime
from streamlit.runtime.memory_session_storage import MemorySessionStorage

from probtrees.ui.shared.session.bounded_cache import bounded_cache

LOOK_EVERY = 20.0
"""Seconds between two looks for sessions that nobody came back to."""


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
