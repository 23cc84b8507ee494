"""The line that says what a page is doing, while there is nothing else to see."""

from __future__ import annotations

import pytest

from probtrees.ui.shared import under_way as module


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
