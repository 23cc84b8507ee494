"""The report of a model: complete, offline, harmless, and silent about small counts."""

import re

import pytest

from probtrees.experiment.fit import by_smoothers_without_rows, fit
from probtrees.report.masking import Mask
from probtrees.report.model_report import ReportRequest, model_report
from probtrees.score.decision import decide
from probtrees.table.read_table import read_table
from tests.checks import Reader
from tests.small_tables import HOSTILE_TARGET, patients, write_hostile_csv

pytestmark = pytest.mark.slow  # every smoother on every tree: far longer without the JIT

TAGS = {
    *("html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "ul", "li", "div"),
    *("section", "span", "em", "b", "table", "caption", "thead", "tbody", "tr", "th", "td"),
    *("details", "summary", "pre", "img", "svg", "g", "a", "path", "polygon", "polyline"),
    *("text", "script"),
}


@pytest.fixture(scope="module")
def tree():
    return fit(patients(300), "c45", "m-branch")


def test_a_tree_is_reported_with_all_that_is_known_about_it(tree):
    others = by_smoothers_without_rows(tree.tree.tree)
    leaf = int(tree.tree.tree.leaves[-1])
    request = ReportRequest(pins=[(leaf, "Ask <again>\nand again")], n_variants=7)
    page = Reader(model_report(tree, others, request))
    for words in (
        "C4.5 tree for state: made up",
        "partly luck",
        "7 settings were looked at",
        f"Node {leaf} · M-branch",
        "Ask <again>\nand again",
        "The formula, filled in",
        "disagreement",
        "SHA-256",
        "learner.min_leaf",
        "Rows read",
    ):
        assert words in page.text
    assert set(others) <= {text.strip() for text in page.texts}
    assert "svg" in page.tags


@pytest.mark.parametrize("learner", ["c45", "kdb", "forest"])
def test_nothing_is_asked_from_outside_and_nothing_runs(learner, tmp_path):
    data = read_table(write_hostile_csv(tmp_path / "h.csv"), target=HOSTILE_TARGET)
    page = Reader(model_report(fit(data, learner, "laplace")))
    assert page.tags <= TAGS
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    addresses = [v for name, v in page.attributes if name in ("src", "href", "xlink:href")]
    assert all(address.startswith("data:") for address in addresses)
    assert "<img src=x onerror=alert(1)>" in page.text


def test_the_track_record_counts_every_unseen_row_once():
    model = fit(patients(300), "c45", "hgs")
    page = model_report(model, request=ReportRequest(outcome=1))
    table = page[page.index("How such numbers fared") :].split("</table>")[0]
    lines = [re.findall(r"<td>(.*?)</td>", line) for line in table.split("<tr>")[2:]]
    assert sum(int(line[1]) for line in lines) == 300
    assert sum(int(line[3]) for line in lines) == int(model.tree.tree.arrays.counts[0, 1])
    masked = model_report(model, request=ReportRequest(outcome=1, mask=Mask(9)))
    assert "How such numbers fared" not in masked
    for line in lines:
        low, high = (float(number) for number in re.findall(r"[\d.]+", line[0]))
        assert low <= float(line[2].split(" ")[0]) <= high
    assert "Judged by rows not used to grow" in page


def test_a_masked_report_tells_no_small_count(tree):
    smallest = 7
    others = by_smoothers_without_rows(tree.tree.tree)
    pins = [(int(leaf), "") for leaf in tree.tree.tree.leaves[:3]]
    text = Reader(model_report(tree, others, ReportRequest(mask=Mask(smallest), pins=pins))).text
    assert f"Counts from 1 to {smallest - 1} are hidden" in text
    counts = re.findall(r"(?<![\w.,])(\d[\d,]*) (?:rows?|cases?|sick|well)\b", text)
    counts += [n for pair in re.findall(r"(\d+) of (\d+)\b(?! nodes)", text) for n in pair]
    assert len(counts) > 10
    for number in counts:
        assert int(number.replace(",", "")) >= smallest or number == "0"


def test_what_comes_of_acting_is_told_but_where_counts_are_hidden(tree):
    acting = decide([0.9, 0.8, 0.2], [1, 0, 0], threshold=0.25)
    shown = [ReportRequest(decision=acting, mask=mask) for mask in (Mask(), Mask(5))]
    told = [
        "The decision is to act from a chance of 25.0 % on." in model_report(tree, request=each)
        for each in shown
    ]
    assert told == [True, False]


def test_a_network_is_reported_with_its_parents_and_one_table():
    model = fit(patients(300), "kdb", "laplace")
    text = Reader(model_report(model)).text
    for words in ("KDB over 3 attributes", "parents beside the class", "The table of", "Seed"):
        assert words in text
