"""Pages and exports are declared once, and found by everybody who lists them."""

from pathlib import Path

import pytest

from probtrees.ui.compare.comparison_exports import COMPARISON_EXPORTS
from probtrees.ui.data.data_page import DATA_EXPORTS
from probtrees.ui.network.network_exports import NETWORK_EXPORTS
from probtrees.ui.pages import PAGES
from probtrees.ui.shared.page import Page
from probtrees.ui.tree.tree_exports import TREE_EXPORTS

ROOT = Path(__file__).resolve().parents[2]
FILES = {
    "tree": [export for tab in TREE_EXPORTS for export in tab.exports],
    "network": [export for tab in NETWORK_EXPORTS for export in tab.exports],
    "compare": list(COMPARISON_EXPORTS),
    "data": [export for tab in DATA_EXPORTS for export in tab.exports],
}


def test_every_page_has_its_script_and_every_script_its_page() -> None:
    assert {page.name for page in PAGES} == {path.stem for path in (ROOT / "pages").glob("*.py")}


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
