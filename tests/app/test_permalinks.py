"""Pages and their links: what links bring back, what they do not carry, and damaged ones."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probtrees.table.read_options import ReadOptions
from probtrees.ui.compare.comparison_exports import COMPARISON_EXPORTS
from probtrees.ui.data.data_page import DATA_EXPORTS
from probtrees.ui.network.network_exports import NETWORK_EXPORTS
from probtrees.ui.pages import PAGES
from probtrees.ui.shared.page import Page, between, several_of, whole, yes_or_no
from probtrees.ui.shared.permalink import read_record, write_record
from probtrees.ui.shared.session.bounded_cache import Upload
from probtrees.ui.tree.tree_exports import TREE_EXPORTS
from tests.app.app_page import address, visit, words_of

NAMES = ("tree", "network", "compare", "learn", "data")


pytestmark = pytest.mark.usefixtures("patient_page")


LINKS = {
    "tree": {
        "sample": "stroke",
        "smoother": "laplace",
        "node": "2",
        "c45.max_depth": "3",
        "beside": "what-if",
        "follow.row": "7",
        "decide.rule": "50/1000",
    },
    "network": {
        "sample": "stroke",
        "smoother": "laplace",
        "network.learner": "kdb",
        "network.kdb.k": "2",
        "network.column": "1",
        "network.node": "1",
        "network.tab": "Follow a row",
    },
    "compare": {
        "sample": "stroke",
        "compare.smoothers": "mle,laplace",
        "compare.folds": "3",
        "compare.started": "1",
        "compare.miss": "7",
    },
    "learn": {"sample": "stroke", "source": "leaf", "node": "2", "step": "constant", "told": "1"},
    "data": {
        "sample": "heart",
        "role.age": "ignore",
        "repeats": "apart",
        "type.sex": "nominal",
        "steps": '[{"step": "missing", "column": "sex", "texts": ["unknown"]}]',
    },
}


@pytest.mark.parametrize("page", NAMES)
def test_a_link_brings_back_the_view_and_stays_the_same(page: str) -> None:
    opened = visit(page, {"v": "1", **LINKS[page]})
    assert not [said for said in opened.warning if "link" in said.icon]  # others are results
    kept = address(opened)
    assert {name: kept.get(name) for name in LINKS[page]} == LINKS[page]
    assert LINKS[page]["sample"] in words_of(opened)
    assert "works only on this computer" in words_of(opened)


@pytest.mark.parametrize("page", NAMES)
def test_a_damaged_link_explains_itself_once_and_the_page_still_works(page: str) -> None:
    broken = {
        "v": "99",
        "sample": "nosuch",
        "smoother": "magic",
        "node": "-3",
        "decide.rule": "0:0",
        "compare.wrong": "x",
    }
    opened = visit(page, broken)
    (warning,) = opened.warning
    for name in broken:
        assert repr(name) in warning.value
    assert not opened.error
    assert "titanic" in words_of(opened) or page == "learn"
    opened.run()


def test_what_others_add_to_an_address_is_not_damage() -> None:
    opened = visit("data", {"sample": "stroke", "utm_source": "mail", "fbclid": "abc"})
    assert not opened.warning
    assert "stroke" in words_of(opened)


@pytest.mark.parametrize("page", ["tree", "learn"])
def test_numbers_that_count_too_far_are_left_out(page: str) -> None:
    opened = visit(page, {"sample": "stroke", "source": "leaf", "node": "999999", "outcome": "77"})
    said = " ".join(warning.value for warning in opened.warning)
    assert "'node'" in said
    assert "'outcome'" in said
    assert not opened.error


@pytest.mark.parametrize("page", NAMES)
def test_links_carry_nothing_of_an_uploaded_table(page: str) -> None:
    table = "secret,other,target\n" + "".join(f"{i % 3},{i % 5},{'yn'[i % 2]}\n" for i in range(80))
    upload = Upload("secret.csv", table.encode())
    opened = visit(page, upload=upload, learn__source="leaf")
    kept = address(opened)
    assert kept["own"] == "1"
    assert "sample" not in kept
    assert "secret" not in str(kept)
    assert "carries nothing of your table" in words_of(opened)


@pytest.mark.slow
@pytest.mark.parametrize(("role", "said"), [("role.age", 0), ("role.nothing", 1)])
def test_roles_in_a_link_are_used_or_explained(role: str, said: int) -> None:
    opened = visit("tree", {"sample": "heart", role: "ignore", "type.sex": "nominal"})
    assert [role in warning.value for warning in opened.warning] == [True] * said
    assert address(opened).get(role) == (None if said else "ignore")


@settings(max_examples=50)
@given(st.text(max_size=12))
def test_readers_read_or_raise_value_error(text: str) -> None:
    for read in (whole(0, 9), between(0, 9), several_of(lambda: ("a", "b")), yes_or_no):
        try:
            read(text)
        except ValueError:
            continue


@pytest.mark.parametrize("page", ["tree", "network"])
def test_the_open_tab_is_followed_and_an_unknown_one_is_reported(page: str) -> None:
    name = f"{page}.tab"
    opened = visit(page, {"v": "1", name: "Follow a row"})
    assert any(box.label == "Start from row" for box in opened.number_input)
    broken = visit(page, {"v": "1", name: "<b>Nothing</b>"})
    (warning,) = broken.warning
    assert repr(name) in warning.value
    assert name not in address(broken)
    assert not any(box.label == "Start from row" for box in broken.number_input)


def test_what_is_said_of_a_table_is_kept_whole() -> None:
    said = ReadOptions(target="newsletter", roles={"id": "ignore"}, types={"zip": "nominal"})
    assert read_record(json.loads(json.dumps(write_record(said)))) == said


FILES = {
    "tree": [export for tab in TREE_EXPORTS for export in tab.exports],
    "network": [export for tab in NETWORK_EXPORTS for export in tab.exports],
    "compare": list(COMPARISON_EXPORTS),
    "data": [export for tab in DATA_EXPORTS for export in tab.exports],
}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_says_what_it_is_for(page: Page) -> None:
    assert page.title
    assert "What you see" in page.help
    assert "sample" in page.choices()


def test_pages_agree_on_what_a_part_of_a_link_means() -> None:
    keys: dict[str, str] = {}
    for page in PAGES:
        for name, choice in page.choices().items():
            assert keys.setdefault(name, choice.key) == choice.key


@pytest.mark.parametrize("page", FILES)
def test_files_of_a_page_have_names_of_their_own(page: str) -> None:
    names = [export.name for export in FILES[page]]
    assert len(set(names)) == len(names)
