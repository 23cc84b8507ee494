"""The rules of the house that no linter knows; see docs/architecture.md."""

import ast
import importlib.util
import inspect
import re
import tomllib
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from probtrees.table.findings import QUESTIONS
from probtrees.table.read_table import read_table

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "probtrees"
SOURCES = sorted(path for path in PACKAGE.rglob("*.py") if "_bundled" not in path.parts)
KERNELS = [path for path in SOURCES if path.name.endswith("_kernels.py")]
TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in SOURCES}
DOCUMENTS = ("docs/architecture.md", "docs/vocabulary.md", "CONTRIBUTING.md")

AIMS = {
    "table": (48, 8200),
    "ui": (80, 15000),
    "ui/shared": (26, 4300),
    "ui/tree": (18, 3500),
    "ui/network": (14, 2500),
    "ui/compare": (12, 2300),
    "ui/learn": (10, 1500),
    "ui/data": (6, 800),
    "experiment": (38, 6300),
    "smooth": (36, 6400),
    "grow": (36, 6300),
    "draw": (34, 5000),
    "scale": (22, 4200),
    "model": (26, 4500),
    "explain": (22, 3800),
    "cli": (20, 3300),
    "estimators": (16, 2600),
    "report": (13, 2200),
    "score": (14, 2100),
    "machine": (12, 950),
    ".": (425, 71000),
}
"""Files and lines of a chapter at most. A chapter that needs more drops or merges something."""

STILL_ABOVE: dict[str, tuple[int, int]] = {
    "table": (42, 8321),
    ".": (394, 71173),
}
"""Chapters above their aim: what they may have meanwhile, as they stand. Lower these."""

MOST_ARGUMENTS = 14
"""Named arguments of ``read_table``: a new wish about a column is a step or a reading."""

MOST_LINES_OF_CHANGES = 60

MOST_WORDS = 30_000
"""Words of all documents in docs/: what one of them says no other one repeats."""


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


MODULES = {name_of(path) for path in SOURCES}


def imported(path: Path) -> set[str]:
    """List the modules that a file imports, but for types alone."""
    nodes, found = list(ast.walk(TREES[path])), set()
    ifs = [node for node in nodes if isinstance(node, ast.If)]
    typed = [node for node in ifs if ast.unparse(node.test) == "TYPE_CHECKING"]
    for node in {*nodes} - {below for one in typed for below in ast.walk(one)}:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            whole = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= (whole & MODULES) or {node.module or ""}
    return found


def test_no_two_files_import_each_other():
    graph = {name_of(path): imported(path) & MODULES - {name_of(path)} for path in SOURCES}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as problem:
        pytest.fail(f"files import each other in a circle: {' <- '.join(problem.args[1])}")


def test_kernels_import_only_numbers():
    allowed = {"__future__", "math", "typing", "numpy", "numpy.typing", "numba"}
    found = {name_of(path): imported(path) - allowed for path in KERNELS}
    assert {name: names for name, names in found.items() if names} == {}


def test_only_kernels_are_compiled():
    compilers = {"jit", "njit", "prange", "vectorize", "guvectorize", "stencil", "cfunc"}
    found = set()
    for path in {*SOURCES} - {*KERNELS}:
        for node in ast.walk(TREES[path]):
            names: set[str] = set()
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("numba"):
                names = {alias.name for alias in node.names}
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "numba":
                names = {node.attr}
            found |= {(name_of(path), name) for name in names & compilers}
    assert found == set()


def test_kernels_are_listed_for_mypy():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (listed,) = [
        override["module"]
        for override in project["tool"]["mypy"]["overrides"]
        if override.get("ignore_errors")
    ]
    assert sorted(listed) == sorted(name_of(path) for path in KERNELS)


def test_no_file_is_called_after_nothing():
    vague = {"utils", "util", "helpers", "helper", "common", "core", "misc"}
    assert [path for path in SOURCES if path.stem.strip("_") in vague] == []


def size_of(chapter: str) -> tuple[int, int]:
    """Count the files and lines of a chapter."""
    own = [path for path in SOURCES if path.is_relative_to(PACKAGE / chapter)]
    return len(own), sum(len(path.read_text(encoding="utf-8").splitlines()) for path in own)


def test_chapters_stay_within_their_budgets():
    most = AIMS | STILL_ABOVE
    sizes = {chapter: size_of(chapter) for chapter in AIMS}
    above = {
        chapter: f"{files} files, {lines} lines; at most {most[chapter]}"
        for chapter, (files, lines) in sizes.items()
        if files > most[chapter][0] or lines > most[chapter][1]
    }
    assert above == {}
    chapters = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists()}
    assert chapters <= {*AIMS}


def test_reading_a_table_takes_few_arguments_and_asks_seven_questions():
    named = [
        name
        for name, argument in inspect.signature(read_table).parameters.items()
        if argument.kind is not argument.VAR_KEYWORD
    ]
    assert len(named) - 1 <= MOST_ARGUMENTS  # the source apart
    assert len(QUESTIONS) == 7


def test_the_documents_are_short():
    words = {p.name: len(p.read_text("utf-8").split()) for p in (ROOT / "docs").glob("*.md")}
    assert words["data.md"] <= 2_500
    assert sum(words.values()) <= MOST_WORDS
    assert len((ROOT / "CHANGELOG.md").read_text("utf-8").splitlines()) <= MOST_LINES_OF_CHANGES


def named_paths(document: str) -> Iterator[str]:
    """List the files, folders and modules that a document names, placeholders left out."""
    text = (ROOT / document).read_text(encoding="utf-8")
    for code in re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL)):
        if re.fullmatch(r"[\w./]+(\.(py|js|css|toml|md)|/)|probtrees(\.\w+)+", code):
            yield code


def test_the_files_that_documents_name_exist():
    places = (ROOT, PACKAGE, PACKAGE / "ui" / "shared", *PACKAGE.glob("*/"), *PACKAGE.glob("ui/*/"))
    missing = [
        (document, name)
        for document in DOCUMENTS
        for name in named_paths(document)
        if not any((place / name).exists() for place in places) and not is_module(name)
    ]
    assert missing == []


def is_module(name: str) -> bool:
    """Whether a dotted name is a module, or something in one."""
    parts = name.split(".")
    return parts[0] == "probtrees" and any(
        ".".join(parts[:n]) in MODULES and importlib.util.find_spec(".".join(parts[:n]))
        for n in (len(parts), len(parts) - 1)
    )


def test_every_dependency_has_a_lower_bound_is_imported_and_said_what_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert [one for one in project["dependencies"] if not re.search(r">=\s*\d", one)] == []
    names = [re.split("[><=\\[]", one)[0] for one in project["dependencies"]]
    imported = {"python-calamine": "python_calamine", "scikit-learn": "sklearn"}
    source = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES)
    document = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = document.partition("## Dependencies")[2].partition("## Tests")[0]
    for name in names:
        module = imported.get(name, name.replace("-", "_"))
        assert re.search(rf"(import |from |import_module\(\"){module}\b|, {module} as ", source), (
            name
        )
        assert re.search(rf"\| .*\b{name}\b.* \| .* \| ", table), name
