"""Numbers that are marks, and numbers too close together for a tree."""

import warnings

import numpy as np
import pytest
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.table.infer.recognise_numbers import recognise_numbers

from probtrees.experiment.fit import fit
from probtrees.table.raw_table import Numbers
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_table


def test_a_number_that_is_there_or_not_is_a_mark():
    rows = "".join(f"{'1' if n % 2 else ''},{n % 7},{'ny'[n % 2]}\n" for n in range(60))
    data = read_table(("t.csv", f"flag,b,y\n{rows}".encode()))
    assert data.schema.names == ("flag", "b", "y")
    assert data.schema.columns[0].categories == ("1",)
    tree = fit(data, "c45", "mle").tree
    assert np.isin(tree.probs[tree.tree.leaves], (0, 1)).all()


def test_a_number_that_never_changes_is_left_out():
    for values in (np.ones(9), np.full(9, np.nan)):
        assert recognise_numbers("a", Numbers(values)).type == "constant"


def test_an_age_of_0_among_adults_may_be_missing():
    ages = Numbers(np.array([0.0, 0, 31, 45, 62, 27]))
    (found,) = recognise_numbers("Alter (Jahre)", ages).findings
    assert (found.kind, found.fixes[0].value) == ("maybe missing", "0")
    assert not recognise_numbers("visits", ages).findings
    assert not recognise_numbers("age", Numbers(np.array([0.0, 0, 1, 45, 62]))).findings


def test_steps_too_fine_for_a_tree_are_reported():
    fine = np.arange(50) * 5e-7
    (finding,) = recognise_numbers("a", Numbers(fine)).findings
    assert "which a tree does not tell apart" in str(finding)
    assert not recognise_numbers("a", Numbers(fine * 4)).findings


def test_a_heap_apart_from_all_measures_may_be_missing_though_it_is_near():
    ages = np.arange(18.0, 90.0)
    (found,) = recognise_numbers("age", Numbers(np.append(ages, [99.0] * 5))).findings
    assert (found.kind, found.fixes[0].value) == ("maybe missing", "99")
    both = np.concatenate([[-99.0] * 3, ages, [99.0] * 5])
    assert [f.fixes[0].value for f in recognise_numbers("age", Numbers(both)).findings] == [
        "-99",
        "99",
    ]


def test_a_99_among_its_neighbours_is_a_measure():
    saturation = np.repeat(np.arange(85.0, 100.0), 5)
    assert not recognise_numbers("spo2", Numbers(np.append(saturation, [99.0] * 40))).findings
    lonely = np.append(np.repeat(np.arange(18.0, 90.0), 3), [99.0, 99.0])
    assert not recognise_numbers("age", Numbers(lonely)).findings


def test_zeros_far_below_a_narrow_column_may_be_missing_whatever_its_name():
    saturation = np.append(np.repeat(np.arange(85.0, 100.0), 5), [0.0] * 8)
    (found,) = recognise_numbers("lowest", Numbers(saturation)).findings
    assert (found.kind, found.fixes[0].value) == ("maybe missing", "0")
    wide = np.append(np.arange(10.0, 90.0), [0.0] * 8)
    assert not recognise_numbers("points", Numbers(wide)).findings


def test_9_beside_a_scale_of_five_may_be_missing():
    answers = np.tile(np.arange(1.0, 6.0), 12)
    (found,) = recognise_numbers("q1", Numbers(np.append(answers, [9.0] * 4))).findings
    assert (found.kind, found.fixes[0].value) == ("maybe missing", "9")
    assert not recognise_numbers("q1", Numbers(np.tile(np.arange(1.0, 10.0), 5))).findings


def test_minus_77_may_be_missing():
    (found,) = recognise_numbers(
        "age", Numbers(np.append(np.arange(18.0, 80.0), [-77.0] * 4))
    ).findings
    assert found.fixes[0].value == "-77"


@pytest.mark.parametrize(
    ("name", "measures", "codes"),
    [
        ("weekly_h", np.arange(60.0), ["888"]),
        ("income", np.arange(8000.0, 60000.0, 77), ["999999"]),
        ("hr", np.arange(50.0, 130.0), ["777", "999"]),
        ("rooms", np.tile(np.arange(1.0, 12.0), 9), ["996", "997", "999"]),
        ("salary", np.arange(1200.0, 60000.0, 77), ["9999"]),
    ],
)
def test_repeated_digits_in_several_rows_may_be_missing(name, measures, codes):
    values = np.append(measures, np.repeat([float(code) for code in codes], 12))
    (found,) = recognise_numbers(name, Numbers(values)).findings
    assert (found.kind, found.fixes[0].value) == ("maybe missing", "\0".join(codes))


def test_repeated_digits_among_like_numbers_are_measures():
    prices = np.repeat([99.0, 199, 299, 499, 777, 888, 999, 1299], 12)
    for values in (prices, np.append(np.arange(900.0, 20000.0, 99), [9999.0] * 3)):
        assert not recognise_numbers("price", Numbers(values)).findings


def test_zeros_of_what_no_body_lacks_may_be_missing():
    hb = np.append(np.arange(6.0, 17.0, 0.1), [0.0] * 6)
    for name in ("Hb", "glucose (mmol/l)"):
        (found,) = recognise_numbers(name, Numbers(hb)).findings
        assert found.fixes[0].value == "0"
    assert not recognise_numbers("dose", Numbers(hb)).findings


@pytest.mark.parametrize("text", ["85.0", "-127", "65535", "1.00E+36"])
def test_a_number_farther_away_than_all_others_apart_may_be_missing(text):
    rows = [
        f"{text if n % 20 == 7 else f'{18 + n % 61 / 7:.2f}'},{'ab'[n % 2]}" for n in range(200)
    ]
    source = ("t.csv", "\n".join(["temp,y", *rows]).encode())
    (found,) = inspect_table(source).column("temp").findings
    assert found.kind == "maybe missing"
    reading = ReadOptions().with_fix("temp", "missing", found.fixes[0].value)
    assert np.isnan(read_table(source, **reading.arguments).values[:, 0]).sum() == 10


def test_one_far_number_or_many_zeros_are_no_codes():
    measures = np.arange(50.0, 400.0)
    for others in ([5000.0], [5000.0, 5000.0], [0.0] * 200):
        assert not recognise_numbers("fee", Numbers(np.append(measures, others))).findings


@pytest.mark.parametrize("written", ["ca. 90", "Ca 90", "approx 90", "~90", "≈ 90", "約90"])
def test_numbers_that_are_not_exact_are_said_and_taken_back(written):
    rows = [f"{written if n % 50 == 7 else 40 + n % 31},{'ab'[n % 2]}" for n in range(200)]
    source = ("t.csv", "\n".join(["x,y", *rows]).encode())
    (found,) = inspect_table(source).column("x").findings
    assert f"{written.removesuffix('90').strip()!r} before 4 of 200 cells (left" in found.sentence
    kept, missing = found.fixes
    assert read_table(source).values[7, 0] == 90.0
    reading = ReadOptions().with_fix("x", missing.setting, missing.value)
    assert np.isnan(read_table(source, **reading.arguments).values[:, 0]).sum() == 4
    reading = ReadOptions().with_fix("x", kept.setting, kept.value)
    assert written in read_table(source, **reading.arguments).schema.columns[0].categories


def test_commas_and_points_in_one_column_are_both_decimal_marks() -> None:
    cells = [f"{20 + n / 10:.1f}" for n in range(400)]
    cells = [f'"{c.replace(".", ",")}"' if n % 3 == 2 else c for n, c in enumerate(cells)]
    rows = [f"{c},{n % 7 / 4},{'ab'[n % 2]}" for n, c in enumerate(cells)]
    source = ("t.csv", "\n".join(["milk,fat,y", *rows]).encode())
    (found,) = inspect_table(source).column("milk").findings
    assert "commas and points that are both decimal marks" in found.sentence
    assert read_table(source).values[:3, 0].tolist() == [20.0, 20.1, 20.2]


def test_the_largest_numbers_there_are_can_be_looked_at() -> None:
    cells = ["1.7976931348623157e+308", "-1.7976931348623157e+308", *map(str, range(12))]
    rows = [f"{cell},{n % 5},{'ab'[n % 2]}" for n, cell in enumerate(cells * 2)]
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        report = inspect_table(("t.csv", "\n".join(["x,z,y", *rows]).encode()))
    assert report.column("x").type == "numeric"


@pytest.mark.parametrize(
    ("codes", "others", "asked"),
    [
        ([-1, -2], [500 + 37 * n for n in range(90)], True),
        ([-8, -5, -2], [n / 10 for n in range(90)], True),
        ([-2], [1, 2, 3, 4, 5], True),
        ([-2], list(range(11)), True),
        ([-1, -2, -3], list(range(30)), False),
        ([-1, -2], [1, 2], False),
        ([-2, -1], [0, 1, 2, 3], False),
    ],
)
def test_small_negative_codes_are_asked_about(
    codes: list[int], others: list[float], asked: bool
) -> None:
    cells = [
        codes[n // 9 % len(codes)] if n % 9 == 0 else others[n % len(others)] for n in range(360)
    ]
    if not asked:  # as often as the others
        cells = [[*codes, *others][n % (len(codes) + len(others))] for n in range(360)]
    lines = [f"{cell},{n % 7},{'ny'[n % 2]}" for n, cell in enumerate(cells)]
    report = inspect_table(("t.csv", "\n".join(["income,x,y", *lines]).encode()), target="y")
    kinds = [found.kind for found in report.column("income").findings]
    assert ("maybe missing" in kinds) is asked


def test_zeros_of_what_every_body_has_are_asked_about_also_where_they_are_many() -> None:
    cells = [0 if n % 5 < 2 else 20 + n * 7 % 380 for n in range(300)]
    rows = [f"{cell},{cell},{'ab'[n % 2]}" for n, cell in enumerate(cells)]
    report = inspect_table(("t.csv", "\n".join(["Insulin,spent,y", *rows]).encode()), target="y")
    kinds = {n: [f.kind for f in report.column(n).findings] for n in ("Insulin", "spent")}
    assert "maybe missing" in kinds["Insulin"]
    assert "maybe missing" not in kinds["spent"]


def _with_zeros(name: str, low: int = 900) -> list[str]:
    cells = [
        "0,00" if n % 11 == 0 else f"{low + n * 7 % 4000:,}".replace(",", ".") + ",50"
        for n in range(440)
    ]
    rows = [f"{cell};{'ab'[n % 3 > 0]}" for n, cell in enumerate(cells)]
    content = ("t.csv", "\n".join([f"{name};y", *rows]).encode())
    asked = [f for f in inspect_table(content).column(name).findings if f.kind == "maybe missing"]
    for found in asked:
        said = ReadOptions().with_fix(name, "missing", found.fixes[0].value).arguments
        assert inspect_table(content, **said).column(name).n_missing == 40
    return [found.fixes[0].label for found in asked]


@pytest.mark.parametrize(
    "name",
    ["Einkommen_netto", "income", "AnnualSalary", "Jahresgehalt", "reddito", "dochód", "Umsatz"],
)
def test_zeros_far_below_all_incomes_are_asked_about(name: str) -> None:
    assert _with_zeros(name) == ["Treat '0' as missing"]
    assert _with_zeros(name, low=1) == []  # small incomes reach down to 0


@pytest.mark.parametrize(
    "name", ["Saldo", "Bonus", "claims", "debt", "n_orders", "CoapplicantIncome", "Fettgehalt"]
)
def test_zeros_of_what_many_have_none_of_are_usual(name: str) -> None:
    assert _with_zeros(name) == []
