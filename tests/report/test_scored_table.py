"""Scored files: what they hold, and that spreadsheets take them for what they are."""

import csv
import io
import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import python_calamine
from hypothesis import given
from hypothesis import strategies as st

from probtrees.errors import DataError, OptionError
from probtrees.experiment.fit import fit
from probtrees.explain.rule import rule_text
from probtrees.model.predict import predict_proba
from probtrees.model.routing import find_leaves
from probtrees.report.odd_rows import (
    columns_in_doubt,
    columns_of_other_scale,
    columns_of_other_unit,
    columns_of_other_values,
    words_for_numbers,
)
from probtrees.report.scored_table import SPREAD, leaf_of_rows, scored_table
from probtrees.report.table_files import FOR_EXCEL, CsvStyle, csv_bytes, xlsx_bytes
from probtrees.table.cells.convert_numbers import Conversion
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_rows, read_table, read_to_predict, read_written

TRAINING = "patient_id,age,sex,ill\n" + "".join(
    f"P{i:03d},{20 + i % 50},{'fm'[i % 3 == 0]},{'yes' if i % 50 > 30 else 'no'}\n"
    for i in range(200)
)
NEW = "patient_id,sex,age,remark,yes\nP900,f,64,=1+1,1\n,x,,fine,2\n-P7,m,young,ok,3\n"


@pytest.fixture(scope="module")
def model():
    data = read_table(("t.csv", TRAINING.encode()), roles={"patient_id": "ignore"})
    return fit(data, "c45", "laplace")


def score(model, wanted, text=NEW, digits=None):
    source = ("new.csv", text.encode())
    rows, unreadable = read_rows(source, model.schema)
    return scored_table(model, rows, unreadable, read_written(source), wanted, digits)


def test_everything_that_can_be_asked_for(model):
    table = score(model, ["input", "leaf", "rule", "odd"])
    assert list(table.columns) == [
        *("patient_id", "sex", "age", "remark", "yes"),
        *("no", "yes (probability)", "predicted ill", "leaf", "rule", "odd"),
    ]
    rows, _ = read_rows(("new.csv", NEW.encode()), model.schema)
    proba = predict_proba(model, rows)
    assert np.array_equal(table[["no", "yes (probability)"]].to_numpy(), proba)
    assert table["predicted ill"].tolist()[0] == "yes"
    assert table["age"].tolist() == ["64", None, "young"]
    assert "age > " in table["rule"][0]
    assert table["odd"][0] == ""
    assert "sex" not in table["odd"][1]  # the tree never asks
    assert "not recorded, though always in training: age" in table["odd"][1]
    assert "young" in table["odd"][2]


def test_the_row_can_be_named_by_its_identifier_or_its_number(model):
    assert score(model, ["id"]).columns[0] == "patient_id"
    without = "sex,age\nf,30\nm,60\n"
    assert score(model, ["id"], without)["row"].tolist() == [1, 2]
    assert score(model, [], without).shape == (2, 3)


def test_probabilities_are_rounded_only_if_asked(model):
    plain, short = score(model, []), score(model, [], digits=2)
    assert (short["no"] == plain["no"].round(2)).all()
    assert (short["no"] != plain["no"]).any()


def test_a_row_names_the_leaf_with_its_largest_share(model):
    rows, _ = read_rows(("new.csv", NEW.encode()), model.schema)
    landed = find_leaves(model.tree.tree, rows.values, rows.schema.n_values)
    expected = []
    for row in range(rows.n_rows):
        part = slice(landed.first[row], landed.first[row + 1])
        expected.append(landed.nodes[part][landed.shares[part].argmax()])
    assert leaf_of_rows(model, rows).tolist() == expected


def test_a_rule_ends_before_the_question_that_has_no_answer(model):
    rows, _ = read_rows(("new.csv", NEW.encode()), model.schema)
    landed = find_leaves(model.tree.tree, rows.values, rows.schema.n_values)
    rules = score(model, ["rule"])["rule"].tolist()
    assert np.diff(landed.first).tolist()[0] == 1
    assert not rules[0].endswith(SPREAD)
    assert rules[1:] == [f"all rows, {SPREAD}"] * 2
    schema, tree = model.schema, model.tree.tree
    for row, text in enumerate(rules):
        ends = landed.nodes[landed.first[row] : landed.first[row + 1]]
        shared = text.removesuffix(f", {SPREAD}").removeprefix("all rows")
        assert all(rule_text(tree, schema, int(node)).startswith(shared) for node in ends)


def test_columns_in_another_scale_or_of_other_values_are_said_once():
    lines = [
        f"{5 + i % 90}.5,{i % 7 * (i % 3 == 0)},{'ab'[i % 2]},{'ny'[i % 2 and i % 90 > 40]}"
        for i in range(300)
    ]
    data = read_table(("t.csv", "\n".join(["util,late,kind,bad", *lines]).encode()))
    model = fit(data, "c45", "laplace")
    later = "util,late,kind\n" + "".join(f"0.{20 + i},{i % 2},{1 + i % 2}\n" for i in range(9))
    source = ("new.csv", later.encode())
    rows, _ = read_rows(source, model.schema, None, model.profile)
    (sentence,) = columns_of_other_scale(model, rows).values()
    assert "'util' seems to be in another scale than in training" in sentence
    assert "from 0.2 to 0.28, in training from 5.5 to 94.5" in sentence
    (sentence,) = columns_of_other_values(model, rows).values()
    assert "'kind' has no value that was seen in training, where it had 'a', 'b'" in sentence
    scaled, _ = read_rows(source, model.schema, ReadOptions(one_scale=("util",)), model.profile)
    assert scaled.values[:, 0].tolist() == [float(20 + i) for i in range(9)]
    assert not columns_of_other_scale(model, scaled)
    again = read_to_predict(
        ("t.csv", "\n".join(["util,late,kind,bad", *lines]).encode()), model.schema
    )
    assert not columns_of_other_scale(model, again)
    assert not columns_of_other_values(model, again)


def test_shares_above_one_or_beside_words_are_told_from_percent():
    lines = [f"{20 + i % 91} %,{10 + i % 7},{'ny'[i % 91 > 40 and i % 7 > 3]}" for i in range(300)]
    data = read_table(("t.csv", "\n".join(["load,hb,bad", *lines]).encode()))
    model = fit(data, "c45", "laplace")
    cells = [0.79, 1.1, 0.29, 0.5, 0.9, 1.05]
    records = [{"load": cell, "hb": 100 + 10 * n} for n, cell in enumerate(cells)]
    words = "load,hb\n" + "".join(f"{r['load']},{r['hb']}\n" for r in records) + "n.c.,130\n"
    for source in (("new.json", json.dumps(records).encode()), ("new.csv", words.encode())):
        rows, _ = read_rows(source, model.schema, None, model.profile)
        (name,) = columns_of_other_scale(model, rows)
        ((of_unit, unit),) = columns_of_other_unit(model, rows).items()
        assert name == "load"
        assert of_unit == "hb"
        assert "'hb' is about 10 times larger than in training: it goes from 100" in unit.sentence
        assert (unit.remedy, unit.how) == ("Divide it by 10", "/10")
        layout = ReadOptions(one_scale=("load",), converted={"hb": unit.how})
        scaled, _ = read_rows(source, model.schema, layout, model.profile)
        assert scaled.values[:6, 0].tolist() == [79, 110, 29, 50, 90, 105]
        assert scaled.values[:6, 1].tolist() == [10, 11, 12, 13, 14, 15]
        assert not columns_of_other_scale(model, scaled)
        assert not columns_of_other_unit(model, scaled)
    assert not columns_of_other_unit(model, data)


@pytest.mark.parametrize(("minutes", "how"), [(False, "/60"), (True, "*60")])
def test_minutes_for_hours_are_divided_by_60_and_not_by_100(minutes, how):
    spent = [3 + i * 7 % 430 for i in range(400)]
    clock = [f"{m}" if minutes else f"{m // 60}:{m % 60:02d}" for m in spent]
    lines = [
        f"{at},{i % 9},{'ny'[m > 200]}" for i, (at, m) in enumerate(zip(clock, spent, strict=True))
    ]
    data = read_table(("t.csv", "\n".join(["Durée,x,ill", *lines]).encode()))
    model = fit(data, "c45", "laplace")
    new = (0.5, 0.8, 1.2, 1.6, 2.1, 2.8) if minutes else (26, 55, 90, 130, 190, 293)
    source = ("n.csv", ("Durée,x\n" + "\n".join(f"{n},1" for n in new)).encode())
    rows, _ = read_rows(source, model.schema, None, model.profile)
    assert not columns_of_other_scale(model, rows)
    assert columns_of_other_unit(model, rows)["Durée"].how == how


def test_kilometres_for_metres_are_multiplied_by_1000_though_some_live_next_to_the_school():
    away = [5 + i * i * 37 % 17000 for i in range(400)]
    lines = [f"{m},{i % 9},{'ny'[m > 6000]}" for i, m in enumerate(away)]
    data = read_table(("t.csv", "\n".join(["away,x,late", *lines]).encode()))
    model = fit(data, "c45", "laplace")
    source = ("n.csv", ("away,x\n" + "".join(f"{m / 1000},1\n" for m in away[::4])).encode())
    rows, _ = read_rows(source, model.schema, None, model.profile)
    assert not columns_of_other_scale(model, rows)
    unit = columns_of_other_unit(model, rows)["away"]
    assert "'away' is about 1,000 times smaller than in training" in unit.sentence
    assert (unit.remedy, unit.how) == ("Multiply it by 1,000", "*1000")
    layout = ReadOptions(converted={"away": unit.how})
    rows, _ = read_rows(source, model.schema, layout, model.profile)
    assert rows.values[:, 0].tolist() == pytest.approx(away[::4])
    assert not columns_of_other_unit(model, rows)


@pytest.mark.parametrize("name", ["temp", "t1"])
def test_celsius_for_fahrenheit_is_said_once_and_converted(name):
    lines = [f"{97 + i % 80 / 10:.1f},{i % 9},{'ny'[i % 80 > 50]}" for i in range(300)]
    data = read_table(("t.csv", "\n".join([f"{name},x,ill", *lines]).encode()))
    model = fit(data, "c45", "laplace")
    source = ("n.csv", f"{name};x\n36,5;1\n37;2\n38,5;3\n39;4\n40;5\n37,1;1\n?;3".encode())
    rows, _ = read_rows(source, model.schema, None, model.profile)
    ((found, unit),) = columns_of_other_unit(model, rows).items()
    assert found == name
    assert "seems to be in °C, in training it was in °F: it goes from 36.5 to 40" in unit.sentence
    layout = ReadOptions(converted={name: unit.how})
    rows, problems = read_rows(source, model.schema, layout, model.profile)
    assert rows.values[:3, 0].tolist() == [97.7, 98.6, 101.3]
    assert np.isnan(rows.values[-1, 0])
    assert f"Column '{name}': 6 cells converted as said (C-F)." in rows.provenance.notes
    assert not columns_of_other_unit(model, rows)
    assert not problems


def test_columns_are_found_regardless_of_case_and_spaces(model):
    rows, _ = read_rows(("new.csv", NEW.encode()), model.schema)
    other = NEW.replace("sex,age", "SEX , Age")
    found, unreadable = read_rows(("new.csv", other.encode()), model.schema)
    assert np.array_equal(found.values, rows.values, equal_nan=True)
    assert "young" in unreadable[2][0]
    note = "Columns are found regardless of case and spaces: 'Age' as 'age', 'SEX' as 'sex'."
    assert note in found.provenance.notes
    other = NEW.replace("sex,age", "sex,_Âge.")
    found, _ = read_rows(("new.csv", other.encode()), model.schema)
    assert np.array_equal(found.values, rows.values, equal_nan=True)
    assert "accents, underscores and dots: '_Âge.' as 'age'." in found.provenance.notes[0]
    plain = read_to_predict(("new.csv", b"Sex,AGE\nf,30\n"), model.schema)
    assert plain.values[0, 0] == 30
    with pytest.raises(DataError, match="column 'age' must be in"):
        read_to_predict(("new.csv", b"sex,Age,AGE\nf,30,1\n"), model.schema)


def test_a_tree_needs_only_the_columns_that_it_asks_for(model):
    assert model.unused_columns == ("sex",)
    layout = ReadOptions(unused=model.unused_columns)
    source = ("new.csv", b"age\n30\n60\n")
    rows, unreadable = read_rows(source, model.schema, layout)
    assert rows.provenance.notes == ("The file lacks 'sex', which the model never asks for.",)
    table = scored_table(model, rows, unreadable, read_written(source), ["odd"])
    assert table["odd"].tolist() == ["", ""]
    whole = pd.DataFrame({"age": [30, 60], "sex": ["f", "m"]})
    assert np.array_equal(table[["no", "yes"]], model.predict_proba(whole))
    assert np.array_equal(model.predict_proba(whole[["age"]]), model.predict_proba(whole))
    for lacking in (b"sex\nf\nm\n", b"height\n180\n170\n"):
        with pytest.raises(DataError, match=r"column.? 'age'.* must be in"):
            read_rows(("new.csv", lacking), model.schema, layout)
    with pytest.raises(DataError, match=r"'new.csv' has no column in common .* the model asks for"):
        read_rows(("new.csv", b"height,shoe\n180,44\n170,40\n"), model.schema, layout)
    data = read_table(("t.csv", TRAINING.encode()), roles={"patient_id": "ignore"})
    assert fit(data, "nb", "laplace").unused_columns == ()


def test_what_a_tree_never_asks_for_is_no_problem():
    lines = [f"{n % 50},{n % 7}.5 kg,{'fm'[n % 3 > 0]},{'ny'[n % 50 > 30]}" for n in range(200)]
    data = read_table(("t.csv", "\n".join(["age,dose,sex,ill", *lines]).encode()))
    model = fit(data, "c45", "laplace")
    assert model.unused_columns == ("dose", "sex")
    layout = ReadOptions(unused=model.unused_columns)
    cells = [f"{n},{word},x" for n, word in enumerate(("two", "1 g", "9000 kg", "3", "", "4", "5"))]
    source = ("new.csv", "\n".join(["age,dose,sex", *cells]).encode())
    rows, unreadable = read_rows(source, model.schema, layout, model.profile)
    assert not unreadable
    assert rows.provenance.notes == ()
    assert set(scored_table(model, rows, unreadable, read_written(source), ["odd"])["odd"]) == {""}
    assert not columns_of_other_unit(model, rows)
    plain = read_to_predict(source, model.schema, layout, model.profile)
    assert np.array_equal(predict_proba(model, plain), predict_proba(model, rows))
    network = fit(data, "nb", "laplace")
    rows, unreadable = read_rows(source, network.schema, None, network.profile)
    assert "dose='two' is not a number" in unreadable[0]
    odd = scored_table(network, rows, unreadable, read_written(source), ["odd"])["odd"]
    assert all("never seen in training: sex" in words for words in odd)


def test_columns_are_found_by_their_labels(model):
    words = {"age": "Years of life", "sex": "Sex"}
    labelled = [replace(c, label=words.get(c.name, "")) for c in model.schema.columns]
    schema = replace(model.schema, columns=tuple(labelled))
    for heading in ("years of Life", "Years of life (age)"):
        rows = read_to_predict(("new.csv", f"SEX,{heading}\nf,30\n".encode()), schema)
        assert rows.values[0, 0] == 30
        note = f"Columns are found by their labels: {heading!r} as 'age'."
        assert note in rows.provenance.notes[0]
    with pytest.raises(DataError, match="column 'age' must be in"):
        read_to_predict(("new.csv", b"sex,Years of life,Years of life (age)\nf,30,1\n"), schema)


def test_a_number_outside_the_range_of_training_is_odd(model):
    text = "sex,age\nf,20\nf,69\nm,99999\nm,-5\n"
    odd = score(model, ["odd"], text)["odd"].tolist()
    assert odd == ["", "", *["outside the range of training: age"] * 2]
    unknown = score(replace(model, profile=None), ["odd"], text + "f,\n")["odd"].tolist()
    assert unknown == ["", "", "", "", "not recorded: age"]


def test_what_cannot_be_asked_for(model):
    with pytest.raises(OptionError, match="columns='lief' must be one of id, input, leaf"):
        score(model, ["lief"])
    network = fit(read_table(("t.csv", TRAINING.encode()), roles={"patient_id": "ignore"}), "nb")
    with pytest.raises(OptionError, match="a network has no single leaf"):
        score(network, ["leaf"])
    assert "odd" in score(network, ["odd"])


TEXTS = st.text(max_size=12).filter(lambda t: "\r" not in t and "\n" not in t and "\0" not in t)


@given(
    st.lists(st.tuples(TEXTS, st.floats(allow_nan=False, allow_infinity=False)), max_size=6),
    st.sampled_from([CsvStyle(), FOR_EXCEL, CsvStyle("\t")]),
)
def test_a_csv_comes_back_and_runs_nothing(rows, style):
    table = pd.DataFrame({"=t": [t for t, _ in rows], "x": np.array([x for _, x in rows], float)})
    text = csv_bytes(table, style).decode("utf-8-sig")
    header, *lines = csv.reader(io.StringIO(text, newline=""), delimiter=style.separator)
    assert header == ["'=t", "x"]
    assert [float(line[1].replace(style.decimal, ".")) for line in lines] == [x for _, x in rows]
    for (given_text, _), (cell, _) in zip(rows, lines, strict=True):
        assert cell in (given_text, f"'{given_text}")
        assert cell[:1] not in tuple("=@\t|") or cell == ""


def test_an_excel_table_holds_numbers_and_harmless_texts():
    table = pd.DataFrame({"a": ["=1+1", None, "x"], "A": [1.5, np.nan, -2.0], "n": [1, 2, 3]})
    book = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(xlsx_bytes(table)))
    rows = book.get_sheet_by_name("Scored").to_python()
    assert rows == [["a", "A'", "n"], ["=1+1", 1.5, 1.0], ["", "", 2.0], ["x", -2.0, 3.0]]


def test_a_separator_that_is_the_decimal_mark_is_refused():
    with pytest.raises(OptionError, match="must differ from the decimal mark"):
        CsvStyle(",", ",")


@pytest.mark.parametrize(
    ("here", "there", "how"),
    [
        ("years", "mths", "*12"),
        ("Monate", "Jahre", "/12"),
        ("weeks", "days", "*7"),
        ("days", "years", "/365.25"),
        ("°C", "°F", "C-F"),
        ("kg", "lbs", "*2.20462262185"),
        ("cm", "mm", "*10"),
    ],
)
def test_numbers_are_converted_as_the_units_in_both_names_say(here, there, how):
    known, new = f"Age ({there})", f"Age ({here})"
    lines = [f"{i % 90},{i % 9},{'ny'[i % 90 > 50]}" for i in range(300)]
    model = fit(read_table(("t.csv", "\n".join([f"{known},x,ill", *lines]).encode())), "c45")
    source = ("n.csv", (f"{new},x\n" + "\n".join(f"{n / 2},1" for n in range(2, 12))).encode())
    layout = ReadOptions(renamed={new: known})
    rows, _ = read_rows(source, model.schema, layout, model.profile)
    first = Conversion.of(how).of_numbers(np.array([1.0]))[0]
    assert rows.values[0, 0] == pytest.approx(first)
    assert f"The numbers of {known!r} are converted, {here!r} " in rows.provenance.notes[0]
    by_numbers = {*columns_of_other_scale(model, rows), *columns_of_other_unit(model, rows)}
    assert columns_in_doubt(model, rows, layout) == by_numbers
    said, _ = read_rows(source, model.schema, replace(layout, converted={known: how}))
    assert said.values[0, 0] == pytest.approx(first)
    left = replace(layout, converted={known: "*1"})
    rows, unreadable = read_rows(source, model.schema, left, model.profile)
    assert rows.values[0, 0] == 1.0
    assert columns_in_doubt(model, rows, left) == {known}
    written = read_written(source, left)
    table = scored_table(model, rows, unreadable, written, ["odd"], doubtful={known})
    assert all(f"maybe in another unit than in training: {known}" in odd for odd in table["odd"])


@pytest.mark.parametrize("cells", ["12 mm", "1.2 cm", "1.2"])
def test_a_unit_in_the_cells_goes_before_that_of_the_name(cells):
    lines = [f"{i % 90},{i % 9},{'ny'[i % 90 > 50]}" for i in range(300)]
    model = fit(read_table(("t.csv", "\n".join(["size (mm),x,ill", *lines]).encode())), "c45")
    source = ("n.csv", f"size (cm),x\n{cells},1\n{cells},2\n".encode())
    layout = ReadOptions(renamed={"size (cm)": "size (mm)"})
    rows, _ = read_rows(source, model.schema, layout, model.profile)
    assert rows.values[:, 0].tolist() == [12.0, 12.0]


def test_limits_are_converted_too():
    lines = [f"{'<5' if i % 90 < 5 else i % 90},{'ny'[i % 90 > 50]}" for i in range(300)]
    model = fit(read_table(("t.csv", "\n".join(["size (mm),ill", *lines]).encode())), "c45")
    source = ("n.csv", b"size (cm)\n<1\n2.5\n3\n")
    layout = ReadOptions(renamed={"size (cm)": "size (mm)"})
    rows, _ = read_rows(source, model.schema, layout, model.profile)
    assert rows.values[:, 0].tolist() == [10.0, 25.0, 30.0]


def test_units_that_nothing_converts_are_odd_in_every_row():
    lines = [f"{70 + i % 90},{'ny'[i % 90 > 50]}" for i in range(300)]
    model = fit(read_table(("t.csv", "\n".join(["crea (µmol/l),ill", *lines]).encode())), "c45")
    source = ("n.csv", b"crea (mg/dl)\n80\n85\n")
    layout = ReadOptions(renamed={"crea (mg/dl)": "crea (µmol/l)"})
    rows, _ = read_rows(source, model.schema, layout, model.profile)
    assert columns_in_doubt(model, rows, layout) == {"crea (µmol/l)"}
    same = ReadOptions(renamed={"crea (at visit)": "crea (µmol/l)"})
    assert not columns_in_doubt(model, rows, same)


def test_words_where_the_model_knows_numbers_are_counted_above_the_table(model):
    ages = ["40", "grown up", "31", "grown up", "unknown", "55", "young", "60", "61"]
    text = "patient_id,sex,age\n" + "".join(f"P{n},f,{age}\n" for n, age in enumerate(ages))
    rows, unreadable = read_rows(("new.csv", text.encode()), model.schema)
    said = words_for_numbers(model, unreadable, rows.n_rows)
    assert said == [
        "3 cells of 'age' are words, which the model does not know there: 'grown up' in 2, "
        "'young' in 1. They count as not recorded."
    ]
    assert not words_for_numbers(model, unreadable, rows.n_rows, said=["age"])
    assert not words_for_numbers(model, unreadable, len(unreadable))
