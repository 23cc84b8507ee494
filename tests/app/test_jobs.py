"""Jobs: shared, queued, reported, cancelled; and the line that says what a page is doing."""

import gc
import threading
import time
import weakref

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from probtrees.machine.checkpoint import checkpoint
from probtrees.table.read_options import ReadOptions
from probtrees.ui.shared import table_source
from probtrees.ui.shared.session import jobs as module
from probtrees.ui.shared.session.bounded_cache import BoundedCache, visitor
from probtrees.ui.shared.session.jobs import Cancelled, Jobs

_READING_PAGE = """
import streamlit as st
from probtrees.ui.shared.table_source import current_source
st.write(current_source().read_beside_page().n_rows)
"""
PATIENCE = 60
"""Seconds: a busy machine takes its time."""


def new_cache():
    return BoundedCache(1 << 30)


class Endless:
    """Work that goes on until it is cancelled."""

    def __init__(self, step=lambda report: report(0.5, "working")):
        self.begun, self.step, self.held = threading.Event(), step, []

    def __call__(self, report):
        held = np.zeros(1000)
        self.held.append(weakref.ref(held))
        while True:
            self.step(report)
            self.begun.set()
            time.sleep(0.01)


def test_who_asks_for_the_same_key_shares_the_job():
    jobs = Jobs(2, new_cache())
    calls = []

    def work(report):
        calls.append(1)
        return 42

    first, second = jobs.ask("a", work), jobs.ask("a", work)
    assert first is second
    assert first.finished.wait(PATIENCE)
    assert first.result == 42
    assert jobs.ask("a", work) is first
    assert calls == [1]


def test_a_job_reports_how_far_it_is():
    go_on = threading.Event()

    def work(report):
        report(0.5, "half")
        go_on.wait(PATIENCE)

    job = Jobs(1, new_cache()).ask("a", work)
    while job.share < 0.5:
        time.sleep(0.01)
    assert job.words == "half"
    assert job.seconds_left is not None
    go_on.set()
    assert job.finished.wait(PATIENCE)


@pytest.mark.parametrize(
    "step", [lambda report: report(0.0, "working"), lambda report: checkpoint("counting tables")]
)
def test_cancel_stops_the_work_which_keeps_nothing_and_the_next_ask_starts_anew(step):
    jobs, endless = Jobs(1, new_cache()), Endless(step)
    job = jobs.ask("a", endless)
    assert job.seconds_left is None
    assert endless.begun.wait(PATIENCE)
    job.cancel()
    assert job.finished.wait(PATIENCE)
    assert isinstance(job.error, Cancelled)
    gc.collect()
    assert endless.held[0]() is None
    assert jobs.ask("a", lambda report: 1) is not job


def test_an_error_is_kept_until_it_was_shown():
    jobs = Jobs(1, new_cache())

    def broken(report):
        raise ValueError("no")

    job = jobs.ask("a", broken)
    assert job.finished.wait(PATIENCE)
    assert jobs.ask("a", broken) is job
    job.error_was_shown = True
    assert jobs.ask("a", broken) is not job


def test_a_cancelled_job_that_cannot_stop_yet_holds_up_nobody():
    jobs = Jobs(1, new_cache())
    hold, begun = threading.Event(), threading.Event()

    def stubborn(report):
        begun.set()
        hold.wait(PATIENCE)

    first = jobs.ask("a", stubborn)
    assert begun.wait(PATIENCE)
    before = threading.active_count()
    first.cancel()
    first.cancel()
    assert jobs.ask("b", lambda report: 2).finished.wait(PATIENCE)
    assert not first.finished.is_set()
    hold.set()
    assert first.finished.wait(PATIENCE)
    assert jobs.ask("c", lambda report: 3).finished.wait(PATIENCE)
    assert threading.active_count() <= before + 1


TWO_LONG_JOBS = """
import time

from probtrees.ui.shared.session.jobs import jobs, show_progress

def endless(report):
    while True:
        report(0.1, "working")
        time.sleep(0.01)

for title in ("First", "Second"):
    show_progress(jobs().ask(title, endless), title, lambda: None)
"""


def test_two_jobs_at_once_can_each_be_cancelled():
    page = AppTest.from_string(TWO_LONG_JOBS, default_timeout=PATIENCE).run()
    assert [button.label for button in page.button] == ["Cancel", "Cancel"]
    for title in ("First", "Second"):
        module.jobs().ask(title, lambda report: None).cancel()


def test_visitors_take_turns(monkeypatch):
    jobs = Jobs(1, new_cache())
    hold, done = threading.Event(), []
    visitor = {"now": "greedy"}
    monkeypatch.setattr(module, "visitor", lambda: visitor["now"])
    asked = [jobs.ask("first", lambda report: hold.wait(PATIENCE))]
    asked += [jobs.ask(n, lambda report, n=n: done.append(n)) for n in range(5)]
    visitor["now"] = "modest"
    asked.append(jobs.ask("mine", lambda report: done.append("mine")))
    assert {job.words for job in asked[1:]} == {"waiting for a free processor"}
    hold.set()
    assert all(job.finished.wait(PATIENCE) for job in asked)
    assert done.index("mine") <= 1
    assert [n for n in done if n != "mine"] == list(range(5))


def test_results_lie_in_the_cache_and_go_with_who_asked(monkeypatch):
    monkeypatch.setattr(module, "visitor", lambda: "me")
    cache = new_cache()
    jobs = Jobs(1, cache)
    asked = jobs.ask("a", lambda report: (visitor(), np.zeros(125_000)))
    assert asked.finished.wait(PATIENCE)
    assert asked.result[0] == "me"
    assert jobs.ask("b", lambda report: 1).finished.wait(PATIENCE)  # the first is measured by now
    assert cache.n_bytes >= 1_000_000
    cache.leave("")
    assert cache.n_bytes == 0


def test_a_table_that_is_read_for_long_is_named_and_can_be_left(monkeypatch):
    read, hold = table_source.read_to_learn, threading.Event()

    def read_slowly(content, reading):
        assert reading == ReadOptions() or hold.wait(PATIENCE)
        return read(content, reading)

    monkeypatch.setattr(table_source, "read_to_learn", read_slowly)
    page = AppTest.from_string(_READING_PAGE, default_timeout=PATIENCE)
    page.session_state[table_source.READING] = ReadOptions(repeats="apart")
    page.run()
    assert "Reading titanic" in page.get("progress")[0].proto.text
    assert not page.markdown
    page.button[0].click().run()
    hold.set()
    while not page.markdown:
        page.run()
    assert table_source.READING not in page.session_state


def test_work_that_nobody_is_left_to_want_is_cancelled():
    cache, endless = new_cache(), Endless()
    jobs = Jobs(1, cache)
    job = jobs.ask("a", endless)
    assert endless.begun.wait(PATIENCE)
    cache.leave("")
    assert job.finished.wait(PATIENCE)
    assert job.was_cancelled
    assert jobs.ask("a", lambda report: 2) is not job


def test_who_shares_a_job_gets_it_anew_when_another_gives_it_up(monkeypatch):
    jobs = Jobs(2, new_cache())
    monkeypatch.setattr(module, "jobs", lambda: jobs)
    monkeypatch.setattr(module, "PATIENCE", PATIENCE)
    begun = threading.Event()
    runs = []

    def work(report):
        runs.append(1)
        begun.set()
        while len(runs) == 1:
            report(0.5, "working")
            time.sleep(0.01)
        return 42

    found = []
    waiting = threading.Thread(
        target=lambda: found.append(module.result_of("key", work, title="t"))
    )
    waiting.start()
    assert begun.wait(PATIENCE)
    jobs.ask("key", work).cancel()
    waiting.join(PATIENCE)
    assert found == [42]


def test_work_whose_kernels_are_being_compiled_holds_up_nobody(monkeypatch):
    compiled = set()
    monkeypatch.setattr(module, "is_compiling", lambda needed: bool({*needed} - compiled))
    monkeypatch.setattr(module, "RETRY", 0.01)
    jobs = Jobs(1, new_cache())
    waiting = [jobs.ask(name, lambda report: 1, kernels={"hdp"}) for name in "abc"]
    assert jobs.ask("d", lambda report: 2, kernels=()).finished.wait(PATIENCE)
    assert not any(job.finished.is_set() for job in waiting)
    assert waiting[0].words == "getting ready, on the first start only: a minute or two"
    assert waiting[0].seconds_left is None
    waiting[1].cancel()
    assert waiting[1].finished.wait(PATIENCE)
    compiled.add("hdp")
    assert all(job.finished.wait(PATIENCE) for job in waiting)
    assert [job.result for job in waiting] == [1, None, 1]


def test_who_turns_away_stops_the_work_and_nothing_else():
    jobs, endless = Jobs(1, new_cache()), Endless()
    left = [jobs.ask(("network", "kdb", *more), endless) for more in ((), ("scores",))]
    other = jobs.ask(("network", "tan"), lambda report: 1)
    assert endless.begun.wait(PATIENCE)
    jobs.leave(("network", "kdb"))
    assert all(job.was_cancelled for job in left)
    assert other.finished.wait(PATIENCE)
    assert other.result == 1


def test_what_a_page_waits_for_is_not_held_up():
    jobs = Jobs(1, new_cache())
    go_on = threading.Event()
    behind = [jobs.ask(number, lambda report: go_on.wait(PATIENCE)) for number in range(3)]
    assert jobs.ask("awaited", lambda report: 1, awaited=True).finished.wait(PATIENCE)
    assert jobs.ask(2, lambda report: None, awaited=True) is behind[2]
    while behind[2].words != "starting":
        time.sleep(0.01)
    assert behind[1].words != "starting"
    go_on.set()
    assert all(job.finished.wait(PATIENCE) for job in behind)
