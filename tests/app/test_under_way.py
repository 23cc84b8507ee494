"""The line that says what a page is doing, while there is nothing else to see."""

from __future__ import annotations

import threading

import pytest

from probtrees.ui.shared.session import jobs as module


class _Place:
    """Notes what is written where the page has its line."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def container(self, **_: object) -> _Place:
        return self

    def markdown(self, words: str, **_: object) -> None:
        self.said.append(words)

    def button(self, label: str, **_: object) -> None:
        self.said.append(label)

    def empty(self) -> None:
        self.said.append("nothing")


def test_long_work_is_named_with_a_way_out_and_then_the_line_is_empty(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    place = _Place()
    monkeypatch.setattr(module.st, "empty", lambda: place)
    with module.under_way("Reading *a* table", lambda: None):
        while "Cancel" not in place.said:
            pass
    assert place.said == [":material/hourglass_top: Reading \\*a\\* table", "Cancel", "nothing"]


def test_short_work_is_not_announced_and_an_error_leaves_no_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_AT_ONCE", 60.0)
    place = _Place()
    monkeypatch.setattr(module.st, "empty", lambda: place)
    with pytest.raises(ValueError), module.under_way("Reading"):  # noqa: PT011
        raise ValueError
    assert place.said == ["nothing"]


def test_progress_takes_the_line_away_before_it_stops_the_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    place = _Place()
    monkeypatch.setattr(module.st, "empty", lambda: place)
    monkeypatch.setattr(module, "PATIENCE", 0.2)
    monkeypatch.setattr(module, "_watch", lambda *_: place.said.append("progress"))
    monkeypatch.setattr(module.st, "stop", lambda: place.said.append("stopped"))
    may_end = threading.Event()
    with module.under_way("Reading", lambda: None):
        module.result_of("slow", lambda _: may_end.wait(20), title="Growing")
        may_end.set()
    assert place.said[-3:] == ["nothing", "progress", "stopped"]
