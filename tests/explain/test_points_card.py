"""Points cards: sums equal a person's, the page adds up alike, losses are those of unseen rows."""

import json
import math
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from playwright._impl._driver import compute_driver_executable

import probtrees
from probtrees.draw.points_card import points_file
from probtrees.errors import DataError, OptionError
from probtrees.experiment.fit import fit, load_model
from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.inner_models import inner_models, with_track_record
from probtrees.experiment.round_to_points import MOST_LINES, round_to_points
from probtrees.explain.points_card import KEPT, PointsCard, points_card
from probtrees.explain.shape_curves import about, shape_curves
from probtrees.model.predict import predict_proba
from probtrees.table.read_table import read_table
from tests.cli.command import refuse, run
from tests.naive import naive_auc, naive_points

EVIL = "</script><b>&'\"{%"


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    """Numbers, whole numbers, categories and gaps, and what adds up with an interaction."""
    random = np.random.default_rng(3)
    n = 400
    x, y = random.normal(size=n), random.integers(0, 6, n).astype(float)
    colour = random.choice(["red, dark", EVIL, "blue"], n)
    odds = 1.5 * x + 0.5 * y - 2 + 1.5 * (colour == EVIL) * (x > 0)
    ill = np.where(random.random(n) < 1 / (1 + np.exp(-odds)), "yes", "no")
    x[:20], colour[30:50] = np.nan, None
    return pd.DataFrame({"x": x, EVIL: y, "colour": colour, "ill": ill})


@pytest.fixture(scope="module")
def card(frame) -> PointsCard:
    return points_card(fit(read_table(frame, "ill"), "shaped-tree"), 1)


def test_sums_are_those_of_a_person_and_risks_follow(card, frame):
    data = read_table(frame, "ill")
    totals = card.totals(data)
    assert totals.tolist() == [naive_points(card, row) for row in data.values.tolist()]
    risk = 1 / (1 + math.exp(-(card.base + card.unit * int(totals[0]))))
    assert card.proba(data)[0, 1] == pytest.approx(risk)
    assert sum(len(part.lines) for part in card.parts) <= MOST_LINES + 10
    for part in card.parts:
        lines = sorted(part.lines, key=lambda line: -line.rows)
        assert lines[0].points == 0
        assert all(abs(line.points) <= 10 for line in lines if line.rows > 20)
        assert sum(line.rows for line in lines) == pytest.approx(data.n_rows)
        own = [int(line.holds(data.values).sum()) for line in part.lines if line.when]
        assert own == [round(line.rows) for line in part.lines if line.when]


def test_the_printed_table_holds_every_sum_also_those_that_differ_little(card):
    rare = replace(card, base=card.base - 6)
    told = points_file(rare, "text").split("risk\n")[1].split("\n\n")[0].splitlines()
    assert len(told) < len(rare.table())
    assert told[0].strip().startswith("≤ ")
    assert "≤" in told[0].split("  ", 2)[-1]
    page = points_file(rare, "html")
    assert all(f'[{total}, "' in page for total, *_ in rare.table())


def test_a_card_says_from_how_many_points_on_to_act(card, frame, tmp_path, capsys):
    table, path = tmp_path / "people.csv", _saved(card, tmp_path)
    frame.to_csv(table, index=False)
    told = run(capsys, "points", path, table, "--outcome", "yes", "--costs", "3:1")
    first = next(total for total, risk, *_ in card.table() if risk >= 0.25)
    data = read_table(frame, "ill")
    acted, cases = card.totals(data) >= first, data.labels == 1
    share = [round(1000 * float(each.mean())) for each in (acted, acted & cases)]
    said = re.search(r"Act from (-?\d+) points? on; .* 25.0 % on. .*: (\d+) acted on, (\d+)", told)
    assert [int(number) for number in said.groups()] == [first, *share]
    sums = [line for line in told.splitlines() if re.match(r"^[ ≤≥-]*\d+  ", line)]
    marked = [int(line.split("  ")[-2].strip(" ≤≥")) for line in sums if line.endswith(": act")]
    assert marked[0] == first
    assert len(marked) + sum(not line.endswith("act") for line in sums) == len(sums)
    assert "must be two" in refuse(capsys, "points", path, "--costs", "0,1;5,0")


def test_curves_in_points_say_what_the_card_says(card, frame):
    data, parts = read_table(frame, "ill"), {part.title: part for part in card.parts}
    drawn = card.curves(shape_curves(card.model))
    assert {curve.title for curve in drawn} == {*parts} - {"group"}
    for curve in drawn:
        steps, column = about(curve.scores, 1) / card.unit, data.schema.titles.index(curve.title)
        own = data.values[:, column]
        known = np.isfinite(own)
        said = steps[own[known].astype(int)] if curve.edges is None else None
        said = np.interp(own[known], curve.values, steps) if said is None else said
        told = parts[curve.title].points(data.values)
        np.testing.assert_allclose(said, told[known], atol=1e-9)
        if not known.all():
            missing = about(curve.missing[None], 1)[0] / card.unit
            assert missing == pytest.approx(told[~known][0])


def test_the_other_outcome_has_the_other_signs(card, frame):
    data, other = read_table(frame, "ill"), points_card(card.model, 0)
    np.testing.assert_array_equal(other.totals(data), -card.totals(data))
    np.testing.assert_allclose(other.proba(data), card.proba(data), atol=1e-12)
    rows = {total: (risk, low, high) for total, risk, low, high in card.table()}
    for total, risk, low, high in other.table():
        assert (1 - risk, 1 - high, 1 - low) == pytest.approx(rows[-total])
        assert 0 <= low <= risk <= high <= 1


def test_the_loss_is_that_of_cards_of_inner_models_on_their_held_out_rows(frame):
    options = {"penalty": 1.0, "freedom": 10.0}
    grown = grow_model(read_table(frame, "ill"), "shaped-tree", options=options)
    data = grown.data
    model = with_track_record(grown, grown.smooth("hgs"))
    loss, finest = points_card(model, 1).loss, points_card(model, 1).finest
    said, whole = np.empty((2, data.n_rows, 2))
    for held_out, inner in inner_models(grown, model, None):
        rows = data.take(np.setdiff1d(np.arange(data.n_rows), held_out))
        part = data.take(held_out)
        said[held_out] = round_to_points(inner, rows, [finest]).proba(part)
        whole[held_out] = predict_proba(inner, part)
    happened = np.eye(2)[data.labels]
    weights = data.row_weights  # of copies that were merged
    both = (whole, said)
    briers = [np.average(((p - happened) ** 2).sum(axis=1), weights=weights) / 2 for p in both]
    assert loss.brier_binary == pytest.approx(briers)
    assert loss.auc == pytest.approx([naive_auc(p, data.labels, weights) for p in both])
    assert loss.largest_change == pytest.approx(np.abs(whole - said).max())
    assert loss.brier_binary[1] - loss.brier_binary[0] < 0.01


def test_a_saved_card_answers_alike_and_a_spoilt_one_is_refused(card, frame, tmp_path):
    path = tmp_path / "model.json"
    card.model.save(path)
    again = points_card(load_model(path), 1)
    before, after = (json.loads(json.dumps(c.to_dict(), allow_nan=False)) for c in (card, again))
    assert after == before
    kept = card.model.diagnostics[KEPT]
    part = kept["parts"][-1]
    for wrong in (
        {**kept, "parts": [{**part, "lines": [{**part["lines"][0], "points": "many"}]}]},
        {**kept, "log_odds_per_point": math.inf},
        {**kept, "parts": [{**part, "lines": [{**part["lines"][0], "when": [[[99] * 5]]}]}]},
        {"parts": 3},
    ):
        spoilt = replace(card.model, diagnostics={KEPT: wrong})
        with pytest.raises(DataError, match="Grow the model again"):
            points_card(spoilt, 1)
    with pytest.raises(DataError, match="Grow it again"):
        points_card(replace(card.model, diagnostics={}), 1)
    with pytest.raises(DataError, match="3 classes must be a shaped tree of two"):
        points_card(fit(probtrees.load_sample("iris"), "shaped-tree", options={"penalty": 1.0}), 1)


def test_the_page_adds_up_like_the_card_and_holds_no_raw_text(card, frame):
    data = read_table(frame, "ill")
    page = points_file(card, "html")
    record = page.split('id="card">')[1].split("</script>")[0]
    functions = page[page.index("const meets") : page.index("const show")]
    rows = [[None if math.isnan(x) else x for x in row] for row in data.values.tolist()]
    program = (
        f"const card = {record};{functions}const rows = {json.dumps(rows)};"
        "console.log(JSON.stringify(rows.map((x) => card.parts.reduce((sum, part) => "
        "sum + (part[lineOf(part, x)]?.points ?? 0), 0))));"
    )
    node, _ = compute_driver_executable()
    run = subprocess.run(
        [str(node), "-"], input=program, capture_output=True, text=True, check=True
    )
    assert json.loads(run.stdout) == card.totals(data).tolist()
    for format in ("html", "svg"):
        text = points_file(card, format)
        assert not any(raw in text for raw in (EVIL, "<b>&", "src=", "href="))
    assert card.loss.sentence in points_file(card, "text")


def test_python_shows_prints_and_saves(card, tmp_path):
    shown = probtrees.load_model(_saved(card, tmp_path)).points("yes")
    assert str(shown).startswith("Points for ill: yes")
    for name in ("card.html", "card.svg", "card.txt"):
        shown.save(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 500
    with pytest.raises(OptionError, match="must end in one of"):
        shown.save(tmp_path / "card.docx")


def _saved(card: PointsCard, folder: Path) -> Path:
    card.model.save(folder / "saved.json")
    return folder / "saved.json"
