"""Asking a network, its table as a matrix, and networks of other programs on the Network page."""

import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from probtrees.experiment.fit import fit
from probtrees.explain.network_query import NetworkQuery
from probtrees.model.networks.bif import read_bif, write_bif
from probtrees.model.networks.dense_network import dense_network
from probtrees.table.read_table import load_sample
from probtrees.ui.network import findings
from probtrees.ui.network.network_exports import OPENED_EXPORTS
from probtrees.ui.network.opened_network import Opened, table_frame
from probtrees.words import percent
from tests.app.app_page import address, field, press, put, visit, words_of
from tests.explain.test_network_query import CONTRADICTION

pytestmark = pytest.mark.usefixtures("patient_page")


def open_page(**session: object) -> AppTest:
    return run(visit("network", **{"sample": "titanic", **session}))


def run(page: AppTest) -> AppTest:
    page.run()
    assert not page.error
    return page


def weigh(page: AppTest, weights: dict[str, float]) -> None:
    """Type how well values fit, and take it over."""
    for value, weight in weights.items():
        field(page, value).set_value(weight)
    press(page, "Use these weights")


@pytest.mark.parametrize("learner", ["kdb", "aode"])
def test_what_is_known_changes_every_chance(learner: str) -> None:
    chosen = {"network.learner": learner, "network.side": "Ask", "network.column": 1}
    page = open_page(**chosen, smoother="m-estimate")
    assert "Forget all" not in [button.label for button in page.button]
    model = fit(load_sample("titanic"), learner, "m-estimate")
    query = NetworkQuery.of_model(model)
    outcome = 1
    assert f"**{percent(query.ask({}).target[outcome])} " in words_of(page)
    put(page, "Known of sex", "female")
    expected = query.ask({"sex": "female"})
    assert f"**{percent(expected.target[outcome])} " in words_of(page)
    assert "What moved the answer" in words_of(page)
    best = max(expected.information, key=lambda name: expected.information[name])
    asked_next = next(each.value for each in page.get("html") if "settles" in each.value)
    assert asked_next.index(best) == min(map(asked_next.index, expected.information))
    put(page, "Known of sex", "not sure: weigh the values")
    assert "not sure" in " ".join(button.label for button in page.button)
    weigh(page, {"female": 100.0, "male": 1.0})
    weighed = query.ask({"sex": {"female": 100.0, "male": 1.0}})
    assert f"**{percent(weighed.target[outcome])} " in words_of(page)
    weigh(page, {"female": 0.0, "male": 0.0})
    assert "At least one value must fit" in page.warning[0].value
    assert f"**{percent(weighed.target[outcome])} " in words_of(page)
    press(page, "Forget all")
    assert "Forget all" not in [button.label for button in page.button]


def test_a_click_says_what_is_known_and_takes_it_back_before_the_page_is_kept(monkeypatch) -> None:
    query = NetworkQuery.of_model(fit(load_sample("titanic"), "nb", "laplace"))
    session: dict[str, object] = {}
    monkeypatch.setattr(findings, "st", SimpleNamespace(session_state=session))
    for known in ({"sex": "female"}, {}):
        findings.pick_value(query, "sex", query.variables["sex"].code("female"))
        assert session == {findings.KNOWN: known}


def test_the_browser_is_told_what_stands_beside_the_picture_where_nobody_chose() -> None:
    place = "probtrees.ui.network.network_controls"
    page = run(AppTest.from_string(f"import {place}\n{place}.choose_side()"))
    (side,) = page.get("button_group")
    # It would go on showing what was chosen for the table before.
    assert side.proto.set_value
    assert page.session_state["network.side"] == "Table"


def test_kept_cases_stand_side_by_side_and_one_is_taken_up() -> None:
    page = open_page(network__learner="nb", network__side="Ask", smoother="laplace")
    cases = {"sex: female": {"sex": "female"}, "class: 1st": {"class": "1st"}}
    query = NetworkQuery.of_model(fit(load_sample("titanic"), "nb", "laplace"))
    for known in cases.values():
        page.session_state["network.findings"] = known
        run(page)
        press(page, "Keep this case")
    frame = next(each.value for each in page.dataframe if "case" in each.value)
    assert frame["case"].tolist() == list(cases)
    expected = [100 * query.ask(known).target[1] for known in cases.values()]
    np.testing.assert_allclose(frame["yes"], expected, rtol=1e-12)
    assert address(page)["network.cases"] == '{"sex":"female"}\n{"class":"1st"}'
    press(page, "Forget kept cases")
    assert not [each for each in page.dataframe if "case" in each.value]


def test_what_is_known_and_the_typed_row_are_in_the_link_of_a_sample() -> None:
    page = open_page(network__learner="nb", network__side="Ask", network__column=1)
    put(page, "Known of sex", "female")
    assert json.loads(address(page)["network.findings"]) == {"sex": "female"}
    page.session_state["network.side"] = "Table"  # what is below the tables is not in the way
    page.session_state["network.tab"] = "Follow a row"
    run(page)
    sex = field(page, "sex")
    sex.set_value(1 - sex.value).run()
    assert address(page)["network.typed"] == f"1:{float(sex.value)}"
    again = run(visit("network", dict(page.query_params)))
    assert words_of(again) == words_of(page)
    assert field(again, "sex").value == sex.value
    again.session_state["network.side"] = "Ask"
    assert field(run(again), "Known of sex").value == "female"


def test_a_table_is_a_matrix_of_contexts_and_values() -> None:
    page = open_page(network__learner="kdb", network__column=0, smoother="m-estimate")
    values = list(load_sample("titanic").schema.columns[0].categories)
    for cells in ("smoothed", "observed", "counts"):
        page.session_state["network.cells"] = cells
        frame = run(page).dataframe[0].value
        assert frame["rows"].sum() == pytest.approx(2201)
        total = frame["rows"] if cells == "counts" else 1
        assert frame[values].sum(axis=1).to_numpy() == pytest.approx(total)


def opened() -> Opened:
    network = dense_network(fit(load_sample("titanic"), "tan", "m-estimate"))
    return Opened("theirs.bif", "0" * 64, read_bif(write_bif(network)))


def test_a_network_of_another_program_is_looked_at_and_asked() -> None:
    there = opened()
    page = open_page(**{"opened network": there, "network.column": 1})
    assert "opened network" in words_of(page)
    assert "theirs" in words_of(page)
    frame = page.dataframe[-1].value
    assert frame.equals(table_frame(there.network, 1))
    put(page, f"Known of {there.network.names[1]}", there.network.variables[1].values[0])
    assert "What moved the answer" in words_of(page)
    (files,) = OPENED_EXPORTS
    written = {export.name: export.write(files.ask(there)) for export in files.exports}
    assert written["network.bif"].decode() == write_bif(there.network)
    press(page, "Back to the table")
    assert "opened network" not in words_of(page)


def test_an_opened_network_without_a_class_is_asked_about_the_target_of_the_table() -> None:
    marked = opened().network
    page = open_page(**{"opened network": Opened("a.bif", "1" * 64, replace(marked, target=None))})
    assert marked.names[field(page, "Class").value] == "survived"
    page.session_state["opened network"] = Opened("b.bif", "2" * 64, marked)
    run(page)
    assert not [box for box in page.selectbox if box.label == "Class"]


def test_its_tables_are_learnt_from_the_table_in_use() -> None:
    way = {"network.opened tables": "Learnt from the table in use"}
    page = open_page(**{"opened network": opened(), "smoother": "hgs", **way})
    assert set(field(page, "Table of").options) == set(load_sample("titanic").schema.names)
    page = visit("network", sample="iris", **{"opened network": opened(), **way})
    assert "Rename columns of the table" in page.warning[0].value
    assert "opened network" in words_of(page)
    assert page.dataframe


def test_a_contradiction_is_named_and_its_values_stay() -> None:
    text = CONTRADICTION.replace(
        "c { type discrete [ 2 ] { no, yes }", "c { type discrete [ 1 ] { any }"
    )
    text = text.replace("( c ) { table 0.5, 0.5", "( c ) { table 1.0")
    there = Opened("asia.bif", "3" * 64, read_bif(text))
    known = {"network.findings": {"a": "no", "b": "yes"}}
    page = open_page(**{"opened network": there, "network.column": 0, **known})
    assert "cannot occur together: **a**: no; **b**: yes" in page.warning[0].value
    assert field(page, "Known of a").value == "no"
    page.session_state["network.column"] = 2
    run(page)
    assert "one value only" in words_of(page)


def test_a_good_file_opens_after_a_bad_one_which_is_named() -> None:
    page = open_page(network__learner="nb")
    bad = ("bad.bif", CONTRADICTION.replace("0.5, 0.5", "0.5, 0.4").encode(), "")
    good = ("good.bif", CONTRADICTION.encode(), "")
    put(page, "Open a network of another", [bad])
    assert page.error[0].value.startswith("**bad\\.bif**: table of")
    put(page, "Open a network of another", [bad, good])
    assert not page.error
    assert "**good.bif**" in words_of(page)


def test_a_saved_model_is_opened_where_networks_are_and_a_names_file_says_what_it_goes_with() -> (
    None
):
    page = open_page(network__learner="nb")
    put(page, "Open a network of another", [("net.names.json", b"{}", "")])
    assert "opened together with its network" in page.error[0].value
    model = fit(load_sample("titanic"), "nb", "laplace").to_dict()
    put(page, "Open a network of another", [("model.json", json.dumps(model).encode(), "")])
    assert page.session_state["loaded model"].name == "model.json"
    assert not page.error


def test_columns_apart_are_not_to_be_asked_and_cases_of_other_networks_are_hidden() -> None:
    page = open_page(
        **{"opened network": opened(), "network.cases": ({"no such": "a"}, {"sex": "female"})}
    )
    frame = next(each.value for each in page.dataframe if "case" in each.value)
    assert frame["case"].tolist() == ["sex: female"]
    apart = "\n".join(
        ["network n {}"]
        + [f"variable {name} {{ type discrete [ 2 ] {{ no, yes }}; }}" for name in "xy"]
        + [f"probability ( {name} ) {{ table 0.5, 0.5; }}" for name in "xy"]
    )
    page = open_page(**{"opened network": Opened("apart.bif", "3" * 64, read_bif(apart))})
    assert "Nothing more tells about y" in words_of(page)
