"""The Compare page without a browser: the answer, its evidence, a second table."""

import base64
import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from probtrees.cli import main
from probtrees.draw.escape import html_text, markdown_text
from probtrees.experiment.evaluation.outside_models import OUTSIDE, installed
from probtrees.experiment.fit import fit
from probtrees.experiment.registry import SMOOTHERS
from probtrees.experiment.validation.validate import validate
from probtrees.grow.c45 import C45
from probtrees.report.comparison_report import Compared
from probtrees.score.measures import main_measures
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import load_sample, read_table, sample_path
from probtrees.ui.compare import tested_rows
from probtrees.ui.compare.compare_page import COMPARE
from probtrees.ui.compare.comparison_exports import with_differences
from probtrees.ui.compare.comparison_plan import ComparisonPlan
from probtrees.ui.compare.comparison_run import ComparisonRun, measure_all
from probtrees.ui.compare.run_history import KeptRun
from probtrees.ui.shared.session.bounded_cache import Upload
from probtrees.words import percent
from tests.app.app_page import press, put, ran, visit

pytestmark = pytest.mark.usefixtures("patient_page")


def open_page(*smoothers: str, sample: str = "stroke", **chosen: object) -> AppTest:
    chosen |= {"compare.smoothers": list(smoothers), "compare.folds": 3}
    return visit("compare", sample=sample, **chosen)


def headline(page: AppTest) -> str:
    """Return the answer, which stands first and largest."""
    return page.subheader[0].value


def look(page: AppTest, view: str) -> AppTest:
    """Look at the results in another way."""
    page.session_state["compare.view"] = view
    return page.run()


def figures(page: AppTest) -> pd.DataFrame:
    """Open *More* and return the table of all figures."""
    return look(page, "More").dataframe[0].value


def test_the_answer_comes_first_then_every_difference_and_the_base_rate() -> None:
    page = press(open_page("mle", "laplace"), "Compare")
    assert (
        page.expander[0].label.replace("\\", "") == "C4.5 tree (min_leaf=1) · 2 smoothers · 3 folds"
    )
    assert headline(page).startswith("Use the base rate")
    assert any("Columns" in caption.value for caption in page.caption)
    drawn = _traces(page, 0)
    lines = [trace["customdata"] for trace in drawn]
    assert sorted(line[0] for line in lines) == ["Always the base rate", "Laplace", "MLE"]
    for line, trace in zip(lines, drawn, strict=True):  # a click beside the name is one on the dot
        assert set(line[:3]) == set(line[3:]) == {line[0]}
        assert trace["text"][3].removeprefix("<b>").startswith(line[0])
    assert "<b>Always the base rate</b>: use this" in [trace["text"][3] for trace in drawn]
    page.slider(key="compare.margin").set_value(0.02).run()
    page.selectbox(key="compare.measure").set_value("auc").run()
    assert "rmse" not in page.selectbox(key="compare.measure").options
    page.session_state["compare.lit"] = "Laplace"
    curves = _traces(look(page, "Curves"), 1)
    faded = [line.get("opacity") for line in curves if line["name"].startswith("MLE")]
    assert faded == [0.35]
    table = figures(page)
    assert sorted(table["method"]) == ["Always the base rate", "Laplace", "MLE"]


def test_the_usual_comparison_of_a_small_table_starts_itself_but_not_by_a_link() -> None:
    assert "the base rate" in headline(visit("compare", sample="stroke"))
    page = visit("compare", {"sample": "stroke"})
    assert not page.get("plotly_chart")
    assert [button for button in page.button if button.label == "Compare"]
    page.session_state["sample"] = "titanic"  # is not of the link
    assert "6 others" in headline(ran(page))
    plan = ComparisonPlan(("c45",), ("mle",))
    assert plan.seconds(load_sample("titanic")) < 5 < plan.seconds(load_sample("titanic")) * 20


def test_a_class_without_tested_rows_is_named_and_another_is_shown() -> None:
    kinds = ["rare"] * 3 + ["often" if n % 3 else "seldom" for n in range(87)]
    dates = [f"2020-{1 + n // 28:02}-{1 + n % 28:02}" for n in range(90)]
    days = "".join(f"{dates[n]},{n % 7},{kind}\n" for n, kind in enumerate(kinds))
    page = open_page("laplace", "mle")
    page.session_state["upload"] = Upload("own.csv", f"day,x,kind\n{days}".encode())
    page.session_state["reading"] = ReadOptions().with_role("day", "time")
    page.session_state["outcome"] = 1  # often, rare, seldom
    page.session_state["compare.view"] = "Threshold"
    press(page, "Compare")
    words = " ".join(caption.value for caption in page.caption).replace("\\", "")
    assert "No row of rare is tested; what follows is about seldom" in words


def test_columns_that_folds_do_not_follow_are_named_and_followed_by_a_click() -> None:
    days = pd.date_range("2020-01-01", periods=120).strftime("%Y-%m-%d")
    lines = [
        f"P{n % 40:04},{day},{n % 7},{n * 7 % 11},{'yes' if n % 3 else 'no'}"
        for n, day in enumerate(days)
    ]
    table = "\n".join(["patient_id,visit,x,z,ill", *lines]).encode()
    page = visit("compare", upload=Upload("visits.csv", table))
    for role, column in (("group", "patient_id"), ("time", "visit")):
        page.button(key=f"compare.by {role}").click().run()
        assert page.session_state["reading"].roles[column] == role
    assert not [button for button in page.button if str(button.key).startswith("compare.by")]


@pytest.mark.parametrize(
    ("scheme", "plan"), [("folds", "3"), ("5x2", "5x2"), ("holdout", "holdout=0.33")]
)
def test_the_table_is_the_command_lines_and_follows_the_measure(scheme, plan, capsys) -> None:
    page = open_page("mle", "laplace", "m-branch", compare__scheme=scheme, compare__seed=3)
    press(page, "Compare")
    page.selectbox(key="compare.measure").set_value("log_loss").run()
    table = figures(page).set_index("method")
    arguments = ["compare", str(sample_path("stroke")), "--cv", plan, "--min-leaf", "1"]
    arguments += ["--smoothers", "mle,laplace,m-branch", "--json", "--seed", "3"]
    assert main(arguments) == 0
    for record in json.loads(capsys.readouterr().out):
        shown = table.loc[SMOOTHERS[record["smoother"]].label]
        for measure in main_measures():
            expected = record["brier_binary" if measure.name == "brier" else measure.name]
            assert shown[measure.name] == pytest.approx(expected, nan_ok=True) or expected is None
    losses = list(table["log_loss"])
    assert losses == sorted(losses)


def test_every_figure_of_every_view_is_the_command_lines(capsys) -> None:
    page = open_page("mle", "laplace", sample="heart", outcome=1, compare__measure="log_loss")
    press(page, "Compare")
    outcome = load_sample("heart").schema.classes[1]
    arguments = ["compare", str(sample_path("heart")), "--cv", "3", "--smoothers", "mle,laplace"]
    arguments += ["--outcome", outcome, "--threshold", "0.3", "--details"]
    growing = next(line for line in _commands(page) if "--model c45" in line).split()
    options = [word for flag, word in pairwise(growing) if flag == "--set"]
    arguments += [word for option in options for word in ("--set", option)]
    assert main([*arguments, "--measure", "log_loss", "--json"]) == 0
    records = json.loads(capsys.readouterr().out)
    shown = {SMOOTHERS[record["smoother"]].label: record for record in records}
    best = min(shown, key=lambda name: shown[name]["log_loss"])
    page.selectbox(key="compare.reference").set_value(best).run()
    drawn = _traces(page, 0)
    drawn = {trace["customdata"][0]: trace["hovertext"] for trace in drawn}
    base = records[0]["base_rate_against_best"]
    told = {"Always the base rate": (base["difference"], *base["interval"])}
    for name, record in shown.items():
        assert record["verdict"].startswith(headline(page).replace("\\", "")[:20])
        told[name] = (record["difference_to_best"], *record["difference_interval"])
    for name, (middle, low, high) in told.items():
        said = f"{middle:+.4f} (95 % interval {low:+.4f} to {high:+.4f}"  # ... beyond the edge)
        assert drawn[name].startswith(said)
    look(page, "Reliability")
    for place, name in enumerate(sorted(shown, key=lambda name: shown[name]["brier"]), 1):
        trace = _traces(page, place)[1]
        bins = shown[name]["details"]["reliability"][outcome]
        assert _list(trace["x"]) == pytest.approx([one["predicted"] for one in bins])
        assert _list(trace["y"]) == pytest.approx([one["observed"] for one in bins])
    _same_curves(page, shown)
    _same_threshold_and_costs(page, shown)


def test_the_table_to_take_away_has_the_verdict_and_every_difference() -> None:
    plan = ComparisonPlan(("c45",), ("mle", "laplace"), n_folds=3)
    run = measure_all(ComparisonRun(plan, *plan.cut(load_sample("heart"))), lambda *_: None)
    found, apart = run.verdict(), run.differences("brier", 1)
    compared = Compared(run.by_name(), run.data, run.folds, outcome=1, n_settings=2)
    figures = pd.DataFrame({"method": list(run.scores())})
    table = with_differences(figures, compared, found, apart).set_index("method")
    assert set(table["verdict"]) == {found.text}
    assert table["standing"].tolist()[:2] == [found.standing("MLE"), found.standing("Laplace")]
    by_loss = with_differences(figures, compared, found, run.differences("log_loss", 1))
    assert by_loss["standing"].tolist()[:2] == ["avoid", "as good"]  # to the reference by this
    for name, line in zip(run.scores(), [*apart.lines, apart.base], strict=True):
        ends = [line.lower, line.difference, line.upper]  # of two classes half is shown
        shown = table.loc[name, ["lower", "difference", "upper"]].tolist()
        assert shown == pytest.approx([(end or 0.0) / 2 for end in ends], nan_ok=True)


def _commands(page: AppTest) -> list[str]:
    found = [code.value for code in look(page, "More").code]
    look(page, "Reliability")
    return found


def _same_curves(page: AppTest, shown) -> None:
    look(page, "Curves")
    for kind, name, x, y in (
        ("ROC", "roc", "false_positive_rate", "true_positive_rate"),
        ("Lift", "lift", "share_of_rows", "lift"),
        ("Decision curve", "decision", "threshold", "net_benefit"),
    ):
        page.selectbox(key="compare.kind").set_value(kind).run()
        lines = {trace["name"].split(" (")[0]: trace for trace in _traces(page, 1)}
        for method, record in shown.items():
            curve = record["curves"][name]
            assert _list(lines[method]["x"]) == pytest.approx(curve[x])
            assert _list(lines[method]["y"]) == pytest.approx(curve[y])


def _same_threshold_and_costs(page: AppTest, shown) -> None:
    look(page, "Threshold")
    page.slider(key="compare.threshold").set_value(30.0).run()
    record = shown[page.selectbox(key="compare.acting").value]["threshold"]
    counts = page.dataframe[0].value[["acted on", "left alone"]].to_numpy().ravel()
    names = ("hits", "misses", "false_alarms", "correct_rejections")
    assert [int(cell) for cell in counts] == [record[name] for name in names]
    rates = page.dataframe[1].value.set_index("rate")["value"]
    assert rates["Sensitivity"] == percent(record["sensitivity"])
    assert rates["Positive predictive value"] == percent(record["positive_predictive_value"])
    assert rates["Cost per row"] == f"{record['cost_per_row']:.4f}"
    bounds = page.dataframe[1].value.set_index("rate")["interval"]
    for name in ("sensitivity", "positive_predictive_value"):
        low, high = record["intervals"][name]
        assert bounds[name.capitalize().replace("_", " ")] == f"{percent(low)} to {percent(high)}"
    costs = look(page, "Costs").dataframe[0].value.set_index("method")
    assert list(costs["implied"]) == sorted(costs["implied"])
    paid = costs["chosen"]
    for method, record in shown.items():
        assert paid[method] == record["costs"]["threshold_of_other_folds"]
        assert costs["implied"][method] == record["costs"]["at_implied_threshold"]
    assert paid["Act on every row"] == record["costs"]["act_on_every_row"]


def _traces(page: AppTest, number: int) -> list[dict]:
    """Return what a picture on show is drawn from."""
    return json.loads(page.get("plotly_chart")[number].proto.spec)["data"]


def _list(values) -> list[float]:
    """Read numbers of a picture, which may be packed."""
    if isinstance(values, dict):
        return np.frombuffer(base64.b64decode(values["bdata"]), values["dtype"]).tolist()
    return list(values)


class TestAnotherTable:
    def open(self, table: bytes) -> AppTest:
        chosen = {"compare.tab": "On another table", "validate.which": "The tree on show"}
        page = visit("compare", sample="titanic", smoother="laplace", **chosen)
        assert any("has not seen" in info.value for info in page.info)
        return put(page, "validate.table", ("new.csv", table, ""))

    def test_says_what_the_command_line_says_and_learns_again(self) -> None:
        frame = pd.read_csv(sample_path("titanic")).sample(600, random_state=1)
        crew = frame[(frame["class"] == "crew")].index
        frame.loc[crew, "survived"] = "yes"
        page = self.open(frame.to_csv(index=False).encode())
        words = " ".join(text.value for text in page.markdown)
        assert "from what the model says" in words
        model = fit(load_sample("titanic"), "c45", "laplace")
        table = ("new.csv", frame.to_csv(index=False).encode())
        found = validate(model, read_table(table, schema=model.schema), outcome="yes")
        assert found.groups_off
        assert markdown_text(found.sentences[0]) in words
        (report,) = page.get("iframe")
        assert percent(found.by_class[1].observed.value) in report.proto.srcdoc
        assert f">{found.scores.brier / 2:.3f}<" in report.proto.srcdoc
        assert html_text(found.groups[0].rule) in report.proto.srcdoc
        page.session_state["validate.view"] = "Learn again"
        press(page.run(), "Learn again")
        assert "better" in set(page.dataframe[0].value["verdict"])

    def test_every_method_stands_beside_its_figures_at_home_at_once(self) -> None:
        # No comparison was looked at, as after a reload.
        page = open_page("mle", "laplace", compare__tab="On another table")
        put(page, "validate.table", ("next year.csv", sample_path("stroke").read_bytes(), ""))
        beside = page.dataframe[0].value.set_index("method")
        assert list(beside.columns[1:3]) == ["Brier score here", "Brier score there"]
        model = fit(load_sample("stroke"), C45(min_leaf=1), "laplace")
        expected = validate(model, load_sample("stroke"))
        assert beside.loc["Laplace", "Brier score there"] == expected.scores.brier / 2
        page.session_state["compare.tab"] = "On this table"
        assert "next year" in " ".join(text.value for text in page.run().markdown)
        for key in ("compare.there", "compare.there layout"):  # forgotten by a reload
            if key in page.session_state:
                del page.session_state[key]
        assert "next year" in " ".join(text.value for text in page.run().markdown)

    def test_an_outcome_that_became_frequent_is_said_before_who_is_best(self) -> None:
        page = open_page("mle", "laplace", sample="titanic", compare__tab="On another table")
        frame = pd.read_csv(sample_path("titanic"), dtype=str, keep_default_na=False)
        table = pd.concat([frame, *[frame[frame["survived"] == "yes"]] * 3])
        table = table.to_csv(index=False).encode()
        put(page, "validate.table", ("later.csv", table, ""))
        words = headline(page).replace("\u2060", "").replace("\\", "")
        assert words.startswith("Forecasts do not hold on later.csv: yes was expected in ")
        assert "of 4,334 rows and came in" in words
        assert "Always the base rate" in set(page.dataframe[0].value["method"])

    def test_a_wrong_table_is_one_sentence(self) -> None:
        page = self.open(b"a,b\n1,2\n3,4\n")
        assert any("must be in" in error.value for error in page.error)
        frame = pd.read_csv(sample_path("titanic")).sample(200, random_state=1)
        frame["survived"] = frame["survived"].map({"yes": "safe", "no": "lost"})
        page = self.open(frame.to_csv(index=False).encode())
        (said,) = [error.value.replace("\\", "") for error in page.error]
        assert "where it had 'no', 'yes'" in said
        boxes = {box.label.replace("\\", ""): box for box in page.selectbox}
        boxes["'safe' is"].set_value("yes")
        boxes["'lost' is"].set_value("no").run()
        put(page, "Read them so", True)
        assert not page.error
        assert page.get("iframe")


def test_settings_of_the_other_pages_are_compared_and_named() -> None:
    page = open_page("laplace", "m-branch")
    page.session_state["smooth.m-branch.strength"] = 9.0
    page.session_state["compare.models"] = ["c45", "kdb"]
    page.session_state["network.kdb.k"] = 2
    page.session_state["network.discretize"] = "width"
    page.session_state["network.discretize.width.n_intervals"] = 3
    press(look(page, "More"), "Compare")
    assert any("--set discretize.n_intervals=3" in code.value for code in page.code)
    assert COMPARE.choices()["network.kdb.k"].usual != 2
    methods = list(figures(page)["method"])
    assert "KDB (k=2) · M-branch (strength=9.0)" in methods
    assert len(methods) == 5


def test_the_rows_and_leaves_of_a_bin_are_listed() -> None:
    page = press(open_page("mle", "laplace", compare__view="Reliability"), "Compare")
    page.selectbox(key="compare.bin").set_value(0).run()
    leaves, rows = (frame.value for frame in page.dataframe[:2])
    assert leaves["rows"].sum() == len(rows)
    assert list(rows.columns[:3]) == ["row", "forecast", "truth"]
    data = load_sample("stroke")
    first = rows.iloc[0]
    assert data.schema.classes[data.labels[int(first["row"]) - 1]] == first["truth"]
    look(page, "More")
    assert any("--smoothers mle,laplace --cv 3" in code.value for code in page.code)


def test_methods_of_others_stand_in_the_same_table_and_are_not_explained() -> None:
    page = press(open_page("laplace", compare__others=True), "Compare")
    methods = list(figures(page)["method"])
    assert "Logistic regression" in methods
    assert len(methods) == 2 + len(installed())
    assert not page.error
    (said,) = [words.value for words in page.caption if "nothing tuned" in words.value]
    assert all(OUTSIDE[name].settings in said for name in installed())
    box = look(page, "Reliability").selectbox(key="compare.reliability")
    box.set_value("Random forest").run()
    page.selectbox(key="compare.bin").set_value(0).run()
    assert "leaf" not in page.dataframe[0].value.columns  # which are those of a tree
    look(page, "Curves")
    for kind in ("Precision and recall", "Gain"):
        page.selectbox(key="compare.kind").set_value(kind).run()


def test_a_page_does_not_draw_half_of_what_comes_meanwhile() -> None:
    data = load_sample("stroke")
    run = ComparisonRun(ComparisonPlan(("c45",), ("mle",)), data, [])
    drawn = run.as_of_now()
    run.renew("c45", [SimpleNamespace(learner="c45")])
    run.problems.append("too late")
    run.is_whole = True
    assert (drawn.results, drawn.problems, drawn.is_whole) == ([], [], False)
    assert run.as_of_now() is run


def test_a_threshold_counts_every_row_once() -> None:
    page = press(open_page("laplace", compare__view="Threshold"), "Compare")
    page.slider(key="compare.threshold").set_value(10.0).run()
    table = page.dataframe[0].value[["acted on", "left alone"]]
    counts = [int(cell.replace(",", "")) for cell in table.to_numpy().ravel()]
    assert sum(counts) == load_sample("stroke").n_rows
    for cell, (expected, truth, is_acted_on) in enumerate(
        zip(counts, (True, True, False, False), (True, False, True, False), strict=True)
    ):
        page.selectbox(key="compare.cell").set_value(cell).run()
        if expected == 0:
            continue
        rows = page.dataframe[-1].value
        assert len(rows) == min(expected, 200)
        assert (rows["truth"].eq("yes") == truth).all()
        assert ((rows["forecast"] >= 10.0) == is_acted_on).all()


def test_a_link_brings_back_method_threshold_cell_and_row() -> None:
    link = {"compare.first": "Laplace", "compare.second": "never heard of", "compare.dot": 5}
    page = press(open_page("mle", "laplace", **link), "Compare")
    assert page.selectbox(key="compare.first").value == "Laplace"
    assert page.selectbox(key="compare.second").value == "MLE"
    leaves = page.dataframe[0].value
    assert leaves["rows"].sum() == load_sample("stroke").n_rows
    both = figures(page).set_index("method")["brier"]
    look(page, "Where they differ")
    assert leaves["adds"].sum() == pytest.approx(both["Laplace"] - both["MLE"])
    rows = page.dataframe[-1].value
    assert 5 in set(rows["row"])
    choices = COMPARE.choices()
    for key in ("compare.acting", "compare.cell", "compare.row", "compare.kind"):
        assert key in choices
    assert choices["compare.view"].read("One against another") == "Where they differ"


def test_given_folds_are_those_of_the_command_line(tmp_path: Path, capsys) -> None:
    data = load_sample("stroke")
    file = tmp_path / "folds.csv"
    file.write_text("fold\n" + "".join(f"{row % 4}\n" for row in range(data.n_rows)))
    page = open_page("mle", "laplace", compare__scheme="given")
    assert any("Give the file of folds" in info.value for info in page.info)
    page.session_state["compare.given held"] = Upload(file.name, file.read_bytes())
    press(page.run(), "Compare")
    options = ["--folds", str(file), "--set", "model.min_leaf=1", "--json"]
    main(["compare", str(sample_path("stroke")), "--smoothers", "mle,laplace", *options])
    printed = {
        record["smoother"]: record["brier_binary"] for record in json.loads(capsys.readouterr().out)
    }
    shown = figures(page).set_index("method")["brier"]
    assert shown["MLE"] == printed["mle"]
    assert shown["Laplace"] == printed["laplace"]
    look(page, "More")
    assert any("--folds folds.csv" in code.value for code in page.code)
    page.session_state["compare.given held"] = Upload("short.csv", b"fold\n1\n2\n")
    page.run()
    assert any("must have one row per data row" in error.value for error in page.error)


def test_before_a_run_the_page_says_what_to_do() -> None:
    page = open_page("mle", "laplace")
    assert any(button.label == "Compare" for button in page.button)
    assert not page.dataframe
    page.toggle(key="compare.published").set_value(True).run()
    assert "hgs-published" in page.session_state["compare.smoothers"]
    page.session_state["compare.smoothers"] = []
    assert any("at least one" in info.value for info in page.run().info)


def test_the_winner_stays_suggested_until_somebody_chooses(monkeypatch) -> None:
    chosen = {}
    monkeypatch.setattr(tested_rows, "st", SimpleNamespace(session_state=chosen))

    def look(best: str, *names: str, is_whole: bool = True) -> str:
        run = SimpleNamespace(by_name=lambda: dict.fromkeys(names), is_whole=is_whole)
        return chosen[tested_rows.suggest(run, "method", best)]

    assert look("a", "a", "b") == "a"
    assert look("b", "b", is_whole=False) == "b"  # another comparison begins without the winner
    assert look("b", "a", "b") == "b"
    chosen["method"] = "a"
    assert look("b", "b", is_whole=False) == "b"
    assert look("b", "a", "b") == "a"  # what was chosen waits until it is there
    assert look("b", "b", "c") == "b"
    chosen.clear()
    chosen["method"] = "a"  # a link
    assert look("a", "a", "b") == "a"
    assert look("b", "a", "b") == "b"


def test_comparisons_are_counted_kept_held_beside_each_other_and_opened_again() -> None:
    page = press(open_page("mle", "laplace"), "Compare")
    page.session_state["compare.smoothers"] = ["mle", "m-branch"]
    page.session_state["smooth.m-branch.strength"] = 9.0
    page.session_state["compare.seed"] = 4
    page.run()
    assert any("compared last" in caption.value for caption in page.caption)
    press(page, "Compare")
    words = " ".join(caption.value for caption in page.caption)
    assert "You have compared 3 settings on one table" in words
    first, second = page.session_state["compare.history"]
    assert first.is_whole
    for kept in (first, second):
        assert KeptRun.from_dict(json.loads(json.dumps(kept.to_dict()))) == kept
    assert KeptRun.from_dict({"name": "of a release to come"}) is None
    assert list(first.scores) == ["MLE", "Laplace", "Always the base rate"]
    assert first.link["compare.smoothers"] == "mle,laplace"
    assert second.held_out == "3 folds, seed 4"
    other = replace(first, name="3: other", table_key="another", table="other.csv")
    page.session_state["compare.history"] = [first, other, second]
    page.session_state["compare.tab"] = "Earlier comparisons"
    page.run()
    table, apart = (shown.value for shown in page.dataframe)
    assert (len(table), len(apart)) == (6, 3)
    assert table["brier"].is_monotonic_increasing
    page.selectbox(key="compare.earlier").set_value(first).run()
    press(page, "Open it again")
    assert page.session_state["compare.tab"] == "On this table"
    assert page.session_state["compare.smoothers"] == ["mle", "laplace"]
    assert page.session_state["compare.seed"] == 0
    assert {"Laplace", "MLE"} < set(figures(page)["method"])
    assert len(page.session_state["compare.history"]) == 3
