"""One bound for files, tables and results; sessions that end give back what they held."""

from types import SimpleNamespace
from unittest.mock import Mock

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from probtrees.errors import DataError
from probtrees.ui import server
from probtrees.ui.server import ForgettingStorage
from probtrees.ui.shared.session import bounded_cache as module
from probtrees.ui.shared.session.bounded_cache import (
    BoundedCache,
    BoundedFiles,
    Upload,
    bytes_of,
    check_room,
    content_of,
    held_bytes,
)

MB = 1 << 20


@pytest.fixture
def as_visitor(monkeypatch):
    who = {"now": "anna"}
    monkeypatch.setattr(module, "visitor", lambda: who["now"])
    return lambda name: who.update(now=name)


def table(megabytes):
    return np.zeros(megabytes * MB // 8)


def test_tables_and_results_share_one_bound_with_the_files():
    clock, files = SimpleNamespace(now=0.0), {"bytes": 0}
    cache = BoundedCache(10 * MB, held=lambda: files["bytes"], clock=lambda: clock.now)
    for number in range(4):
        cache.keep(number, table(3))
        clock.now += 100
    assert cache.n_bytes == 9 * MB
    assert 0 not in cache
    files["bytes"] = 5 * MB
    cache.keep("last", table(1))
    assert cache.n_bytes + files["bytes"] <= 10 * MB
    assert "last" in cache


def test_what_a_page_asked_for_a_moment_ago_is_not_pushed_out_by_what_it_asks_for_next():
    clock = SimpleNamespace(now=0.0)
    cache = BoundedCache(10 * MB, held=lambda: 0, clock=lambda: clock.now)
    cache.keep("table", table(8))
    cache.keep("tree", table(8))
    assert "table" in cache
    clock.now += 100
    cache.keep("other", table(8))
    assert "table" not in cache
    assert "tree" not in cache


def test_who_leaves_gives_back_what_nobody_else_asked_for(as_visitor):
    cache = BoundedCache(100 * MB, held=lambda: 0)
    cache.keep("hers", table(1))
    cache.keep("shared", table(1))
    as_visitor("ben")
    assert cache.find("shared") is not None
    cache.leave("anna")
    assert "hers" not in cache
    assert "shared" in cache
    cache.leave("ben")
    assert cache.n_bytes == 0


@pytest.mark.parametrize(
    "value",
    [np.zeros(1000), pa.array(np.zeros(1000)), pd.DataFrame({"x": np.zeros(1000)}), "x" * 8000],
)
def test_what_a_result_takes_is_added_up(value):
    assert 8000 <= bytes_of({"a": [value, value]}) <= 8300


def test_files_are_counted_once_and_as_long_as_somebody_has_them():
    before = held_bytes()
    content = b"x" * MB
    first, again = Upload("a.csv", content), Upload("b.csv", content)
    assert held_bytes() == before + MB
    del first
    assert held_bytes() == before + MB
    del again
    assert held_bytes() == before


def test_a_file_for_which_there_is_no_room_is_refused_with_a_sentence(monkeypatch):
    monkeypatch.setenv("PROBTREES_MAX_CACHE", "1")
    store = BoundedFiles("/upload")
    store.add_file("anna", UploadedFileRec("1", "small.csv", "text/csv", b"x,y\n1,2\n"))
    store.add_file("anna", UploadedFileRec("2", "large.csv", "text/csv", b"x" * 2 * MB))
    kept = {file.name: file for file in store.get_files("anna", ["1", "2"])}
    assert kept["small.csv"].data == b"x,y\n1,2\n"
    assert kept["large.csv"].data == b""
    with pytest.raises(DataError, match=r"file='large\.csv' must fit beside the files of other"):
        content_of(SimpleNamespace(name="large.csv", type=kept["large.csv"].type))


def test_a_pasted_table_counts_as_well(monkeypatch):
    monkeypatch.setattr(module, "room", lambda: -1)
    with pytest.raises(DataError, match="--max-cache"):
        check_room(Upload("pasted.tsv", b"x\ty\n"))


def lost(name):
    return SimpleNamespace(session=Mock(id=name))


def test_a_session_is_ended_once_its_time_is_over_or_another_is_lost():
    storage = ForgettingStorage(ttl_seconds=0)
    first, second = lost("first"), lost("second")
    storage.save(first)
    storage.save(second)
    assert first.session.shutdown.called
    assert storage.forget() == 1
    assert second.session.shutdown.called


def test_a_session_that_is_taken_up_again_goes_on():
    storage = ForgettingStorage()
    first = lost("first")
    storage.save(first)
    assert storage.get("first") is first
    storage.delete("first")
    assert storage.forget() == 0
    assert not first.session.shutdown.called


def test_a_session_that_ends_gives_back_what_it_alone_asked_for(monkeypatch):
    cache = BoundedCache(1 << 20)
    monkeypatch.setattr(server, "bounded_cache", lambda: cache)
    monkeypatch.setattr(module, "visitor", lambda: "first")
    cache.keep("table", b"x" * 5000)
    storage = ForgettingStorage(ttl_seconds=0)
    storage.save(lost("first"))
    storage.forget()
    assert cache.n_bytes == 0


def test_where_too_many_are_lost_the_oldest_is_ended():
    storage = ForgettingStorage(maxsize=2)
    sessions = [lost(str(number)) for number in range(4)]
    for session in sessions:
        storage.save(session)
    assert [session.session.shutdown.called for session in sessions] == [True, True, False, False]
