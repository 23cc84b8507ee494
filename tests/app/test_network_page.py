"""The Network page without a browser: every network, its tables, its selection, a row."""

import re
from types import SimpleNamespace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from probtrees.experiment.corrections import CorrectionEffect
from probtrees.experiment.evaluation.stability import arc_strengths
from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.inner_models import unseen_scores
from probtrees.experiment.registry import SMOOTHERS
from probtrees.grow.edits import ArrowEdit
from probtrees.grow.tan import TAN
from probtrees.table.read_table import load_sample
from probtrees.ui.network import network_controls
from probtrees.ui.network.network_bench import NetworkBench
from probtrees.ui.network.network_page import networks
from probtrees.ui.shared.counts import GrownCounts
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.bounded_cache import Upload
from tests.app.app_page import html_of, press, visit, words_of

pytestmark = pytest.mark.usefixtures("patient_page")


def open_page(sample: str, **session: object) -> AppTest:
    page = visit("network", sample=sample, **session)
    assert not page.error
    return page


STRUCTURE = {"network.learner": "tan", "network.side": "Structure"}


@pytest.mark.parametrize(
    "network",
    [pytest.param(name, marks=[] if name == "tan" else [pytest.mark.slow]) for name in networks()],
)
def test_every_network_shows_a_table_with_a_row_explained(network: str) -> None:
    page = open_page("stroke", network__learner=network)
    assert "points" in html_of(page)
    assert page.dataframe[0].value["rows"].sum() > 0


@pytest.mark.slow
def test_it_says_how_good_the_network_is_on_rows_it_has_not_seen() -> None:
    page = open_page("titanic", network__learner="tan")
    grown = grow_model(load_sample("titanic"), "tan")
    scores = unseen_scores(grown, grown.smooth("hgs"))
    assert scores is not None
    assert f"On 2,201 unseen rows: right for {100 * scores.right:.0f} %" in html_of(page)


def test_the_reasons_for_a_row_add_up_to_its_odds() -> None:
    page = open_page("titanic", network__learner="kdb", **{"network.tab": "Follow a row"})
    shown = html_of(page)
    added = [float(number) for number in re.findall(r">([+-]\d+\.\d{3})<", shown)]
    assert sum(added[:-1]) == pytest.approx(added[-1], abs=0.003)
    said = " ".join(caption.value for caption in page.caption)
    assert f"they sum to {added[-1]:+.3f}" in said
    assert all(SMOOTHERS[name].label in shown for name in SMOOTHERS)


def test_a_table_smoothed_alone_is_the_table_of_the_model() -> None:
    grown = grow_model(load_sample("titanic"), "kdb")
    bench = NetworkBench(GrownCounts(grown, grown.data), ("test",))
    for smoother in ("hgs", "hdp", "m-branch"):
        whole = grown.smooth(smoother).members[0].trees
        for smoothed in whole[1:]:
            table = bench.table(0, smoothed.tree.target)
            alone = table.counts.smooth(smoother, (), lambda share, words: None).tree
            np.testing.assert_allclose(alone.probs, smoothed.probs, rtol=1e-12)


@pytest.mark.slow
def test_arrows_are_listed_with_how_often_they_are_found_again() -> None:
    page = open_page("titanic", network__learner="kdb", network__side="Structure")
    frame = next(f.value for f in page.dataframe if "found again" in f.value)
    expected = arc_strengths(grow_model(load_sample("titanic"), "kdb"))
    names = load_sample("titanic").schema.names
    target = names.index("survived")
    unsure = sorted((a for a in expected.arcs if a.parent != target), key=lambda arc: arc.share)
    named = [f"{names[arc.parent]} → {names[arc.child]}" for arc in unsure]
    assert sorted(frame["arrow"]) == sorted(named)
    assert frame["found again"].tolist() == [100 * arc.share for arc in unsure]


def test_arrows_are_corrected_and_unseen_rows_say_what_it_does() -> None:
    edits = (ArrowEdit("add", "sex", "age"), ArrowEdit("add", "nobody", "age"))
    page = open_page("titanic", **{"network.tan.edits": edits, **STRUCTURE})
    grown = [grow_model(load_sample("titanic"), TAN(edits=some)) for some in ((), edits[:1])]
    before, after = (unseen_scores(each, each.smooth("hgs")) for each in grown)
    assert f"On unseen rows: **{CorrectionEffect.of(before, after).words}**" in words_of(page)
    assert "Corrected: Add sex → age." in words_of(page)
    page.session_state["network.against"] = "learnt"
    page.run()
    assert "only here" in html_of(page)
    press(page, "Undo")
    assert "Corrected" not in words_of(page)
    assert "network.tan.edits" not in page.session_state


def test_a_network_is_held_against_one_that_has_more_columns() -> None:
    page = open_page("iris", **STRUCTURE | {"network.learner": "skdb", "network.against": "nb"})
    assert "only here" in html_of(page)


def test_choices_are_forgotten_with_another_reading_but_not_with_another_table(monkeypatch) -> None:
    session = {"network.column": 3}
    monkeypatch.setattr(network_controls, "st", SimpleNamespace(session_state=session))
    for file, reading, is_kept in (
        *(("mine", "mine", True), ("other", "other", True)),
        *(("mine", "mine", True), ("mine", "mine, read otherwise", False)),
    ):
        source = SimpleNamespace(file_key=file)
        monkeypatch.setattr(network_controls, "current_source", lambda source=source: source)
        network_controls.begin_again("source", (reading,), ("network.column",))
        assert ("network.column" in session) == is_kept


@pytest.mark.slow
def test_among_equally_rare_classes_every_page_asks_about_the_last() -> None:
    rows = "".join(f"{number % 3},{number % 5},{'ab'[number % 2]}\n" for number in range(60))
    upload = Upload("tied.csv", f"x,z,kind\n{rows}".encode())
    asked = []
    for name in ("tree", "network"):
        page = visit(name, upload=upload, network__tab="Follow a row")
        asked += {box.value for box in page.selectbox if str(box.key).startswith(state.OUTCOME)}
    assert set(asked) == {1}
