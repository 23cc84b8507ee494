import pickle

import pytest

from probtrees.errors import DataError, OptionError, ProbTreesError


@pytest.mark.parametrize("kind", [ProbTreesError, DataError, OptionError])
def test_a_message_is_one_line_whatever_it_quotes(kind):
    said = str(kind("column=a\nb\x85c\u2028d\x1b[31m\u202ee must be short."))
    assert len(said.splitlines()) == 1
    assert "\x1b" not in said
    assert "\u202e" not in said


def test_a_message_that_quotes_a_book_keeps_both_ends():
    said = str(DataError(f"column={'x' * 70_000} must be short. Shorten it."))
    assert len(said) <= 600
    assert said.startswith("column=x")
    assert said.endswith("must be short. Shorten it.")


def test_errors_come_back_from_other_processes():
    error = pickle.loads(pickle.dumps(OptionError("k=9 must be at most 5.")))
    assert isinstance(error, OptionError)
    assert str(error) == "k=9 must be at most 5."
