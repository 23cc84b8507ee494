"""Numbers in words: parts add up to the whole, and one probability reads the same everywhere."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from probtrees.explain.sentence import Group, weight_sentence
from probtrees.words import percent, percent_is_bound, plural, round_to_sum, score_texts


@given(st.lists(st.floats(0, 100), min_size=1, max_size=8), st.integers(0, 4))
@example([0.35], 1)
def test_rounded_parts_add_up_and_stay_close(values: list[float], decimals: int) -> None:
    rounded = round_to_sum(values, decimals)
    assert round(sum(rounded), decimals) == pytest.approx(round(sum(values), decimals), abs=1e-9)
    unit = 10**-decimals
    assert all(abs(a - b) < unit + 1e-9 for a, b in zip(values, rounded, strict=True))


@given(st.floats(1e-12, 1 - 1e-12))
@example(0.99999)
@example(1e-5)
def test_a_percentage_never_reads_0_or_100_unless_it_is(probability: float) -> None:
    text = percent(probability)
    assert (text[0] in "<>") == percent_is_bound(probability)
    assert float(text.strip("<>% ")) not in {0.0, 100.0}


@pytest.mark.parametrize("probability", [2e-6, 0.0042, 0.161, 0.99957, 1 - 2e-6, 0.0, 1.0])
def test_a_sentence_begins_with_the_number_the_picture_shows(probability: float) -> None:
    groups = [Group("these", 0.6, 0.6 * probability), Group("others", 0.4, 0.4 * probability)]
    sentence = weight_sentence(probability, None, groups)
    assert sentence.startswith(percent(probability))
    assert "0.000 points" not in sentence


def test_one_is_singular() -> None:
    assert [plural(n, "unseen rows") for n in (0, 1, 2)] == [
        "0 unseen rows",
        "1 unseen row",
        "2 unseen rows",
    ]


@given(st.floats(1e-5, 9.99))
@example(0.09996)
@example(0.0024)
def test_scores_have_three_digits_that_count(score: float) -> None:
    (said,) = score_texts(score)
    assert float(said) == pytest.approx(score, rel=0.0051)
    assert len(said.replace(".", "").lstrip("0")) == 3
