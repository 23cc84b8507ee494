"""Points of a long scale are cut in two where a person looks, and classes elsewhere."""

import pytest
from probtrees.table.infer.guess_reading import guess_for
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.table.infer.outcomes.ordered_numbers import are_ordered_numbers

from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_table


def _table(name: str, numbers: list[int]) -> bytes:
    lines = [f"{n % 13},{'ab'[n % 2]},{numbers[n * 7 % len(numbers)]}" for n in range(420)]
    return "\n".join([f"x,g,{name}", *lines]).encode()


def _guessed(name: str, numbers: list[int], reading: ReadOptions | None = None) -> ReadOptions:
    table = ("own.csv", _table(name, numbers))
    look = lambda r: inspect_table(table, **r.arguments)  # noqa: E731
    return guess_for(look, reading or ReadOptions(), name).reading


@pytest.mark.parametrize("name", ["NPS", "pain score", "Zufriedenheit", "visits", "quality"])
def test_points_of_a_scale_are_cut_in_the_middle(name: str) -> None:
    assert _guessed(name, list(range(11))).cut_target == 5


@pytest.mark.parametrize(
    "name", ["land_use", "digit", "Class", "Typ", "district", "month", "species code"]
)
def test_codes_of_sorts_stay_classes(name: str) -> None:
    assert _guessed(name, list(range(1, 9))).cut_target is None


def test_grades_stay_classes() -> None:
    assert _guessed("satisfaction", [1, 2, 3, 4, 5, 6]).cut_target is None


def test_what_somebody_called_categories_is_not_cut() -> None:
    reading = ReadOptions(types={"NPS": "nominal"})
    assert _guessed("NPS", list(range(11)), reading).cut_target is None


def test_numbers_with_gaps_or_zeros_before_them_are_codes() -> None:
    assert not are_ordered_numbers(["11", "12", "13", "21", "22", "31", "41", "52"], "area")
    assert not are_ordered_numbers([f"0{n}" for n in range(1, 9)], "area")
    assert not are_ordered_numbers([f"{n}.5" for n in range(9)], "area")


def test_who_calls_read_table_gets_a_class_for_each_number() -> None:
    data = read_table(("own.csv", _table("NPS", list(range(11)))), target="NPS")
    assert data.schema.classes == tuple(map(str, range(11)))
