"""The documentation holds together: links lead somewhere, pages are listed, notebooks are clean."""

import json
import re
from pathlib import Path

import probtrees
from probtrees.experiment.registry import (
    LEARNERS,
    SMOOTHERS,
    learners_in_chunks,
    smoothers_of_counts,
)

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.glob("*.md")])
NOTEBOOKS = sorted((DOCS / "tutorials").glob("*.ipynb"))


def anchors(path):
    """Return what a page can be linked to at: its headings, as they are spelled in links."""
    headings = re.findall(r"^#+ (.+)$", path.read_text("utf-8"), re.MULTILINE)
    plain = [re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings]
    return {heading.strip().replace(" ", "-") for heading in plain}


def links(path):
    text = path.read_text("utf-8")
    if path.suffix == ".ipynb":
        text = "\n".join("".join(c["source"]) for c in json.loads(text)["cells"])
    return re.findall(r"\]\((?!https?:|mailto:)([^)\s]+)\)", text)


def leads_nowhere(page, link):
    name, _, anchor = link.partition("#")
    target = (page.parent / name).resolve() if name else page
    is_there = not anchor or target.suffix != ".md" or anchor in anchors(target)
    return not (target.exists() and is_there)


def test_links_lead_somewhere():
    pages = [*PAGES, *NOTEBOOKS]
    assert [(p.name, link) for p in pages for link in links(p) if leads_nowhere(p, link)] == []


def test_every_page_is_in_the_table_of_contents():
    listed = re.findall(r": ([\w/]+\.(?:md|ipynb))$", (ROOT / "mkdocs.yml").read_text(), re.M)
    there = [path.relative_to(DOCS).as_posix() for path in [*DOCS.glob("*.md"), *NOTEBOOKS]]
    assert sorted(listed) == sorted(there)


def test_the_reference_has_every_public_name():
    shown = re.findall(r"^::: [\w.]+\.(\w+)$", (DOCS / "reference.md").read_text("utf-8"), re.M)
    text = (DOCS / "reference.md").read_text("utf-8")
    made = [name for name in probtrees.__all__ if name.endswith("Classifier")]
    assert {*probtrees.__all__} - {*made} <= {*shown}
    assert all(f"`{name}`" in text for name in made)


def names_in(line):
    return re.findall(r"`([^`]+)`", line)


def test_the_readme_has_a_row_for_every_smoother():
    rows = re.findall(r"^\| (`.+?) \|", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    assert {name for row in rows for name in names_in(row)} == set(SMOOTHERS)


def test_the_page_on_scale_names_what_learns_from_counts():
    text = (DOCS / "scale.md").read_text("utf-8")
    (line,) = re.findall(r"^\*\*Smoothers\*\* that need nothing but counts.+$", text, re.MULTILINE)
    assert {*names_in(line)} & {*SMOOTHERS, *LEARNERS} == {
        *smoothers_of_counts(),
        *learners_in_chunks(),
    }


def test_notebooks_are_kept_without_results():
    for notebook in NOTEBOOKS:
        cells = json.loads(notebook.read_text("utf-8"))["cells"]
        kept = [c for c in cells if c.get("outputs") or c.get("execution_count")]
        assert kept == [], notebook.name
