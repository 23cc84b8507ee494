"""Durations as people write them, in one unit whatever the parts are called."""

import numpy as np
import pytest

from probtrees.table.cells.arrow_arrays import text_array
from probtrees.table.cells.balances import read_amounts
from probtrees.table.cells.numbers_within import numbers_held
from probtrees.table.spelling import Spelling

DURATIONS = {
    "43 min": 43,
    "1 h 23": 83,
    "2\u00a0h\u00a004": 124,
    "1h07": 67,
    "1 Std. 56": 116,
    "1:56 Std.": 116,
    "1 heure 5 minutes": 65,
    "1時間15分": 75,
    "1 ч 10 мин": 70,
    "2 godz. 5 min": 125,
    "1 d 2 h": 1560,
}


def test_hours_without_a_word_for_minutes_stand_beside_minutes():
    found = read_amounts(text_array(DURATIONS))
    assert (found.values * 60).round(6).tolist() == list(DURATIONS.values())


def test_hours_far_down_in_a_column_of_minutes_are_found():
    texts = [f"{minutes} min" for minutes in range(5, 60)]
    found = read_amounts(text_array([*texts, "1 h 01"]))
    assert found.values[-1] == pytest.approx(61 / 60)
    assert found.values[0] == pytest.approx(5 / 60)


@pytest.mark.parametrize("texts", [["45m", "30m"], ["11 st 04", "9 st 12"], ["5 lb 3 oz"]])
def test_metres_stones_and_pounds_are_no_durations(texts):
    assert read_amounts(text_array(texts)).spelling.unit != "h:mm"


def test_a_model_that_knows_minutes_reads_hours():
    texts = text_array(["0:53", "1 h 10", "40 min", "55", "2h05", "soon"])
    values = read_amounts(texts, known=Spelling(unit="min")).values
    assert values[:-1].tolist() == [53, 70, 40, 55, 125]
    assert np.isnan(values[-1])


def test_the_number_in_a_cell_counts_minutes_behind_hours():
    assert numbers_held("1h45").numbers == (1.75,)
    assert numbers_held("1 h 15").numbers == (1.25,)


@pytest.mark.parametrize(("cell", "hours"), [("P{}D", 24), ("P{}W", 168), ("PT{}S", 1 / 3600)])
def test_spans_of_one_part_as_programs_write_them(cell, hours):
    found = read_amounts(text_array([cell.format(n) for n in range(1, 20)]))
    assert found.values.tolist() == pytest.approx([n * hours for n in range(1, 20)])
    later = read_amounts(text_array(["P1DT6H", "P2D"]), known=found.spelling)
    assert later.values.tolist() == [30, 48]


@pytest.mark.parametrize("codes", [["P21W", "P5W", "P10W"], [f"P{n}" for n in range(20)]])
def test_types_of_lamps_and_numbers_of_parts_are_no_spans(codes):
    assert np.isnan(read_amounts(text_array(codes)).values).all()


@pytest.mark.parametrize("cell", ["{}:{:02d} /km", "{}:{:02d} min/km", "{}'{:02d}\"/km"])
def test_the_pace_of_runners_is_read_in_seconds_for_a_kilometre(cell):
    paces = [(4 + n % 4, n * 7 % 60) for n in range(20)]
    found = read_amounts(text_array([cell.format(*pace) for pace in paces]))
    assert found.spelling.unit == "s/km"
    assert found.values.tolist() == [60 * minutes + seconds for minutes, seconds in paces]
    later = read_amounts(text_array(["5:06 /km", "8:00 /mi"]), known=found.spelling)
    assert later.values[0] == 306
    assert np.isnan(later.values[1])
