"""Columns that know the answer, or nearly, are asked about; good predictors are not."""

from __future__ import annotations

import numpy as np
import pytest
from probtrees.table.infer.guess_reading import guess_for, why_not_used
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import load_sample, read_table, sample_names, sample_path
from probtrees.table.table_report import (
    TableReport,
    carrying_features,
    leaking_features,
    standing_out,
    strong_feature,
)


def falls(right: float) -> bytes:
    """Make a table whose column "x-ray" agrees with the outcome in this share of the rows."""
    random = np.random.default_rng(3)
    ill = random.random(600) < 0.3
    ordered = np.where(random.random(600) < right, ill, ~ill)
    age = random.integers(20, 90, 600)
    lines = [
        f"{a},{'yes' if o else 'no'},{'y' if i else 'n'}"
        for a, o, i in zip(age, ordered, ill, strict=True)
    ]
    return "\n".join(["age,x-ray,injured", *lines]).encode()


@pytest.mark.parametrize(("right", "kind"), [(1.0, "leak"), (0.96, "strong"), (0.8, None)])
def test_a_column_that_was_written_down_afterwards_is_asked_about(right, kind):
    content = falls(right)
    found = [f for f in inspect_table(("t.csv", content)).findings if f.kind in ("leak", "strong")]
    assert [(f.kind, f.column) for f in found] == ([(kind, "x-ray")] if kind else [])
    data = read_table(("t.csv", content))
    assert leaking_features(data) == (("x-ray",) if kind == "leak" else ())
    assert strong_feature(data) == ("x-ray" if kind == "strong" else None)


def test_what_is_done_about_an_outcome_is_asked_about_though_it_is_often_wrong():
    random = np.random.default_rng(5)
    toxic = random.random(800) < 0.22
    reduced = random.random(800) < np.where(toxic, 0.73, 0.08)
    rows = [
        f"{a},{r:d},{t:d}"
        for a, r, t in zip(random.integers(30, 90, 800), reduced, toxic, strict=True)
    ]
    source = ("t.csv", "\n".join(["age,dose_red,toxic", *rows]).encode())
    (found,) = inspect_table(source, target="toxic").column("dose_red").findings
    assert found.kind == "strong"
    assert found.sentence.startswith("Was 'dose_red' known beforehand?")
    data = read_table(source, target="toxic")
    assert (strong_feature(data), leaking_features(data)) == ("dose_red", ())


@pytest.mark.parametrize("name", sample_names())
def test_no_sample_has_one(name):
    data = load_sample(name)
    assert leaking_features(data) == ()
    assert strong_feature(data) is None


def test_two_columns_that_are_alike_do_not_stand_out():
    assert standing_out({"a": 0.9, "b": 0.3}) == "a"
    assert standing_out({"a": 0.9, "b": 0.8}) is None
    assert standing_out({"a": 0.6}) is None
    assert standing_out({}) is None


def test_an_amount_that_is_0_unless_the_outcome_came_is_a_leak():
    lines = [
        f"{n % 13},{5 + n * 3 % 40 if n % 3 == 0 else 0},{'yn'[n % 3 > 0]}" for n in range(300)
    ]
    content = ("t.csv", "\n".join(["x,refund,returned", *lines]).encode())
    kinds = [found.kind for found in inspect_table(content).column("refund").findings]
    assert kinds == ["leak"]


@pytest.mark.parametrize("elsewhere", ["", "0"])
def test_a_fee_that_one_class_of_three_pays_is_a_leak(elsewhere):
    states = ("on time", "late", "reminded")
    lines = [
        f"{n % 13},{5 + n % 4 if n % 3 == 2 else elsewhere},{states[n % 3]}" for n in range(300)
    ]
    content = ("t.csv", "\n".join(["x,fee,status", *lines]).encode())
    (found,) = inspect_table(content).column("fee").findings
    assert found.kind == "leak"
    assert "filled in for one class only" in found.sentence
    assert leaking_features(read_table(content)) == ("fee",)


def test_a_column_that_is_often_empty_is_no_leak():
    random = np.random.default_rng(3)
    lines = [f"{n if random.random() < 0.4 else ''},{'abc'[n % 3]}" for n in range(300)]
    content = ("t.csv", "\n".join(["x,y", *lines]).encode())
    assert not [f for f in inspect_table(content).findings if f.kind == "leak"]


def test_columns_that_carry_a_model():
    lines = [f"{n % 13},{n % 3},{'yn'[n % 3 > 0]},{'yn'[n % 3 > 0]}" for n in range(300)]
    twice = read_table(("t.csv", "\n".join(["x,visits,letter,ill", *lines]).encode()))
    assert carrying_features(twice) == [("visits", 1.0, None), ("letter", 1.0, None)]
    (carrier,) = carrying_features(read_table(("t.csv", falls(0.96))))
    assert carrier.name == "x-ray"
    assert carrying_features(read_table(("t.csv", falls(0.8)))) == []


def _pumps(off: str, on: tuple[str, ...], right: float = 1.0) -> tuple[str, bytes]:
    """Make a table of pumps with an alarm that is on, in this share of them, where one failed."""
    random = np.random.default_rng(4)
    failed = random.random(2000) < 0.1
    kinds = np.array(["seal", "bearing", "electrical"])[random.integers(0, 3, 2000)]
    alarm = np.where(random.random(2000) < right, failed, ~failed)
    codes = np.where(alarm, np.array(on)[random.integers(0, len(on), 2000)], off)
    heat = random.integers(20, 90, 2000) + 10 * failed
    rows = zip(heat, codes, np.where(failed, kinds, "none"), strict=True)
    lines = ["heat,alarm,failure", *(",".join(map(str, row)) for row in rows)]
    return "t.csv", "\n".join(lines).encode()


@pytest.mark.parametrize(("off", "on"), [("0", ("E10", "E11")), ("0", ("3", "7")), ("", ("x",))])
def test_a_column_that_tells_the_usual_of_four_outcomes_from_the_others_is_a_leak(off, on):
    content = _pumps(off, on)
    (found,) = inspect_table(content).column("alarm").findings[-1:]
    assert found.kind == "leak"
    assert "almost alone tells 'none' from every other outcome" in found.sentence
    data = read_table(content, roles={"alarm": "feature"})
    assert leaking_features(data) == ("alarm",)
    assert carrying_features(data) == [("alarm", 1.0, "none")]


def test_an_alarm_that_is_often_wrong_is_none():
    content = _pumps("0", ("E10", "E11"), right=0.95)
    assert not [f for f in inspect_table(content).findings if f.kind in ("leak", "strong")]
    data = read_table(content)
    assert leaking_features(data) == ()
    assert carrying_features(data) == []


@pytest.mark.parametrize(("right", "asked"), [(1.0, True), (0.97, False)])
def test_words_that_one_class_of_several_has_for_itself_are_asked_about(right, asked):
    random = np.random.default_rng(6)
    labels = random.integers(0, 4, 1200)
    known = np.where(random.random(1200) < right, labels, random.integers(0, 4, 1200))
    others = np.array(["oak", "elm", "ash"])[random.integers(0, 3, 1200)]
    words = np.where(known == 2, "stub", others)
    lines = [f"{n % 13},{words[n]},{'abcd'[labels[n]]}" for n in range(1200)]
    report = inspect_table(("t.csv", "\n".join(["x,wood,kind", *lines]).encode()))
    found = [f for f in report.column("wood").findings if f.kind in ("leak", "strong")]
    assert [f.kind for f in found] == (["strong"] if asked else [])
    if asked:
        assert "It alone tells 'c' from every other outcome." in found[0].sentence


def test_a_value_that_only_the_ill_have_is_asked_about():
    random = np.random.default_rng(5)
    ill = random.random(600) < 0.35
    in_hospital = ill & (random.random(600) < 0.3)
    lines = [
        f"{n % 13},{int(h)},{'y' if i else 'n'}"
        for n, (h, i) in enumerate(zip(in_hospital, ill, strict=True))
    ]
    content = ("t.csv", "\n".join(["x,hosp,ill", *lines]).encode())
    (found,) = inspect_table(content).column("hosp").findings
    assert found.kind == "strong"
    assert f"Of {in_hospital.sum()} rows with '1' all are 'y'" in found.sentence


@pytest.mark.parametrize(("n_others", "asked"), [(0, True), (9, False)])
def test_what_is_empty_for_one_outcome_only_is_asked_about(n_others, asked):
    random = np.random.default_rng(6)
    labels = random.choice(4, 600, p=[0.55, 0.2, 0.15, 0.1])
    empty = labels == 1  # days until an outcome that has not come yet
    empty[np.flatnonzero(~empty)[:n_others]] = True
    days = random.integers(0, 200, 600)
    lines = [f"{n % 13},{'' if empty[n] else days[n]},{'abcd'[labels[n]]}" for n in range(600)]
    report = inspect_table(("t.csv", "\n".join(["x,stay,end", *lines]).encode()))
    found = [f.sentence for f in report.column("stay").findings if f.kind in ("leak", "strong")]
    assert ["in which it is empty all are 'b'" in said for said in found] == [True] * asked


WAYS_TO_FILL = {
    "in which it is filled in": ("", ""),
    "in which it is not 0": ("0", "230"),
    "with another value than '-none-'": ("-none-", ""),
}


def _leavers(elsewhere: str, filled: str, *, right: float = 1.0, some: float = 0.9) -> bytes:
    """Write where pupils went, of those who left for three reasons, and of hardly any other."""
    random = np.random.default_rng(9)
    labels = random.choice(4, 2400, p=[0.9, 0.04, 0.03, 0.03])
    has = np.where(labels > 0, random.random(2400) < some, random.random(2400) > right)
    words = np.array(["East", "West", "South"])[random.integers(0, 3, 2400)]
    cells = [(filled or words[n]) if has[n] else elsewhere for n in range(2400)]
    if filled.isdigit():
        cells = [c if c == elsewhere else str(int(c) + n % 40) for n, c in enumerate(cells)]
    rows = [f"{n % 13},{cells[n]},{('stays', 'W1', 'W3', 'W8')[k]}" for n, k in enumerate(labels)]
    return "\n".join(["x,went to,reason", *rows]).encode()


@pytest.mark.parametrize("way", WAYS_TO_FILL)
def test_what_is_filled_in_for_some_outcomes_of_several_is_asked_about(way):
    content = ("t.csv", _leavers(*WAYS_TO_FILL[way]))
    (found,) = (f for f in inspect_table(content).findings if f.kind in ("leak", "strong"))
    assert found.column == "went to"
    assert f"rows {way} none are 'stays'" in found.sentence
    assert leaking_features(read_table(content, roles={"went to": "feature"})) == ("went to",)


@pytest.mark.parametrize(("right", "some"), [(0.98, 0.9), (1.0, 0.08)])
def test_what_others_have_too_or_few_of_them_have_is_not(right, some):
    content = ("t.csv", _leavers("", "", right=right, some=some))
    found = inspect_table(content).column("went to").findings
    assert not [f for f in found if f.kind in ("leak", "strong")]
    assert leaking_features(read_table(content)) == ()


@pytest.mark.parametrize("name", sample_names())
def test_no_column_of_a_sample_is_asked_about(name):
    report = inspect_table(sample_path(name))
    assert not [found for found in report.findings if found.kind in ("leak", "strong")]


def test_an_answer_in_several_spellings_does_not_hide_a_leak():
    words = ("Y", "Yes", "yes", "N", "No", "no")
    lines = [f"{n % 13},{5 if n % 6 < 3 else 0},{words[n % 6]}" for n in range(300)]
    content = ("t.csv", "\n".join(["x,refund,returned", *lines]).encode())
    assert [found.kind for found in inspect_table(content).column("refund").findings] == ["leak"]


def test_a_cut_that_is_the_very_class_is_a_leak():
    random = np.random.default_rng(2)
    late = np.where(
        random.random(900) < 0.6, random.integers(-10, 4, 900), random.integers(4, 90, 900)
    )
    lines = [f"{days},{n % 13},{'ny'[days > 3]}" for n, days in enumerate(late.tolist())]
    content = ("t.csv", "\n".join(["days late,x,late", *lines]).encode())
    assert [f.kind for f in inspect_table(content).column("days late").findings] == ["leak"]
    assert leaking_features(read_table(content)) == ("days late",)


def goodwill(n_paid: int) -> tuple[str, bytes]:
    """Make complaints of which so many of 137 were paid for."""
    random = np.random.default_rng(9)
    complains = np.arange(630) % 23 < 5
    paid = complains & (np.cumsum(complains) <= n_paid)
    lines = [
        f"{random.integers(5, 23)},{'abc'[random.integers(3)]},{10 if p else ''},{'yn'[not c]}"
        for p, c in zip(paid, complains, strict=True)
    ]
    return ("t.csv", "\n".join(["hour,depot,goodwill,complaint", *lines]).encode())


@pytest.mark.parametrize(
    ("content", "left_out"),
    [
        (goodwill(111), ["goodwill"]),
        (goodwill(137), ["goodwill"]),
        (goodwill(60), []),
        (("t.csv", falls(1.0)), ["x-ray"]),
        (("t.csv", falls(0.96)), []),
        (("t.csv", falls(0.8)), []),
    ],
)
def test_the_app_leaves_out_what_the_command_line_says_that_it_does(content, left_out):
    """Also one that no other comes near, if rows in which it is filled in are all of one class."""
    assert list(leaking_features(read_table(content))) == left_out

    def look(reading: ReadOptions) -> TableReport:
        return inspect_table(content, **reading.arguments)

    target = look(ReadOptions()).columns[-1].name
    reading = guess_for(look, ReadOptions(), target).reading
    assert [name for name, role in reading.roles.items() if role == "ignore"] == left_out
    for name in left_out:
        assert why_not_used(look(reading).column(name)).startswith("it almost alone predicts")


def test_signs_may_tell_many_outcomes_apart():
    rows = [f"{n % 12 < 4:d},{n % 7},ill{n % 12}" for n in range(600)]
    source = ("t.csv", "\n".join(["leaves,x,disease", *rows]).encode())
    assert not inspect_table(source, target="disease").column("leaves").findings
