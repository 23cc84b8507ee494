"""Work in other processes."""

import pytest

from probtrees.machine.worker_processes import call_in_processes


@pytest.mark.slow
def test_answers_come_in_order_or_as_they_are_ready():
    calls = [(number, 2) for number in range(5)]
    assert list(call_in_processes(pow, calls, 2)) == [0, 1, 4, 9, 16]
    assert sorted(call_in_processes(pow, calls, 2, in_order=False)) == [0, 1, 4, 9, 16]
