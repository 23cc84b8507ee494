"""What is kept for all visitors, bounded by the memory it takes."""

from __future__ import annotations

import dataclasses
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from typing import Any

import numpy as np
import streamlit as st

from probtrees.machine.input_bytes import limit_tables
from probtrees.machine.limits import ServerLimits


@st.cache_resource(show_spinner=False)
def limits() -> ServerLimits:
    """Return the limits of this server; from now on they hold for every table it reads."""
    found = ServerLimits.from_environment()
    limit_tables(found)
    return found


def bytes_of(value: Any) -> int:
    """Add up the arrays and texts a result holds, each once; the rest hardly counts."""
    seen: set[int] = set()
    waiting = [value]
    total = 0
    while waiting:
        found = waiting.pop()
        if id(found) in seen:
            continue
        seen.add(id(found))
        if isinstance(found, np.ndarray):
            total += found.nbytes
        elif isinstance(found, bytes | str):
            total += len(found)
        elif isinstance(found, Mapping):
            waiting += found.values()
        elif isinstance(found, list | tuple | set | frozenset):
            waiting += found
        elif dataclasses.is_dataclass(found) and not isinstance(found, type):
            waiting += vars(found).values()
    return total


class BoundedCache:
    """Results found by their key; the ones asked for longest ago go first.

    Parameters
    ----------
    most_bytes : what all of them together may take; the newest is kept in any case
    """

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self._kept: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """Return the result of a key, made now if it is not kept."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key][0]
        value = make()
        with self._lock:
            self._kept[key] = (value, bytes_of(value))
            self._kept.move_to_end(key)
            while len(self._kept) > 1 and self.n_bytes > self.most_bytes:
                self._kept.popitem(last=False)
        return value

    @property
    def n_bytes(self) -> int:
        """What is kept now."""
        return sum(size for _, size in self._kept.values())
