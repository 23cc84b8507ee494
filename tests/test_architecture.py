"""The rules of the house that no linter knows; see docs/architecture.md."""

from __future__ import annotations

import ast
import importlib.util
import re
import tomllib
import warnings
from collections import Counter
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "probtrees"
SOURCES = sorted(path for path in PACKAGE.rglob("*.py") if "_bundled" not in path.parts)
KERNELS = [path for path in SOURCES if path.name.endswith("_kernels.py")]
TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in SOURCES}
DOCUMENTS = ("docs/architecture.md", "docs/vocabulary.md", "CONTRIBUTING.md")

LAZY = {
    "probtrees.cli.options.chunk_options": "probtrees.scale",
    "probtrees.cli.predict": "probtrees.scale",
    "probtrees.draw.code.tree_as_onnx": "onnx",
    "probtrees.estimators.explanations": "shap",
    "probtrees.experiment.warm_up": "probtrees.",
    "probtrees.model.calibration": "scipy.optimize",
    "probtrees.model.networks.agrum": "pyagrum",
    "probtrees.report.html_page": "plotly.offline",
    "probtrees.smooth.log_linear.minimise": "scipy.optimize",
    "probtrees.table.dataset": "pandas",
    "probtrees.table.discretize.decision_tree": "scipy.special",
    "probtrees.table.formats.frame": "pandas",
}
"""What may be imported inside a function, by module: slow to import, and seldom needed."""

MOST_LINES, MANY_LINES = 450, 300
"""Lines of a file, kernels apart: beyond the first is an error, beyond the second a warning."""

MOST_FILES, MANY_FILES = 30, 20
"""Files of a folder, likewise."""


class HouseWarning(UserWarning):
    """Something is larger than it should be, but not yet too large."""


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


MODULES = {name_of(path) for path in SOURCES}


def imports(path: Path) -> Iterator[tuple[str, bool]]:
    """List the modules a file imports when it runs, and whether inside a function."""

    def visit(node: ast.AST, inside: bool) -> Iterator[tuple[str, bool]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
                continue
            if isinstance(child, ast.Import):
                yield from ((alias.name, inside) for alias in child.names)
            elif isinstance(child, ast.ImportFrom):
                for alias in child.names:
                    whole = f"{child.module}.{alias.name}"
                    yield (whole if whole in MODULES else child.module or ""), inside
            else:
                is_function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
                yield from visit(child, inside or is_function)

    return visit(TREES[path], False)


def imported(path: Path) -> set[str]:
    return {name for name, _ in imports(path)}


def test_no_two_files_import_each_other():
    graph = {name_of(path): imported(path) & MODULES - {name_of(path)} for path in SOURCES}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as problem:
        pytest.fail(f"files import each other in a circle: {' <- '.join(problem.args[1])}")


def test_imports_stand_at_the_top():
    found = {
        (name_of(path), name)
        for path in SOURCES
        for name, inside in imports(path)
        if inside and not name.startswith(LAZY.get(name_of(path), "nothing"))
    }
    assert found == set()


def test_every_lazy_import_is_still_there():
    lazy = {name_of(path) for path in SOURCES if any(inside for _, inside in imports(path))}
    assert lazy == set(LAZY)


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.stem)
def test_kernels_import_only_numbers(path):
    allowed = {"__future__", "math", "typing", "numpy", "numpy.typing", "numba"}
    assert imported(path) <= allowed


def test_only_kernels_are_compiled():
    compilers = {"jit", "njit", "prange", "vectorize", "guvectorize", "stencil", "cfunc"}
    for path in SOURCES:
        if path in KERNELS:
            continue
        for node in ast.walk(TREES[path]):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("numba"):
                assert not compilers & {alias.name for alias in node.names}, path
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                assert node.value.id != "numba" or node.attr not in compilers, path


def test_kernels_are_listed_for_mypy():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (listed,) = [
        override["module"]
        for override in project["tool"]["mypy"]["overrides"]
        if override.get("ignore_errors")
    ]
    assert sorted(listed) == sorted(name_of(path) for path in KERNELS)


def test_streamlit_is_imported_by_the_app_alone():
    for path in SOURCES:
        if "ui" not in path.relative_to(PACKAGE).parts:
            assert "streamlit" not in {name.split(".")[0] for name in imported(path)}, path


def test_no_file_is_called_after_nothing():
    vague = {"utils", "util", "helpers", "helper", "common", "core", "misc"}
    assert [path for path in SOURCES if path.stem.strip("_") in vague] == []


def test_pickle_and_code_from_text_are_not_used():
    for path in SOURCES:
        assert not {"pickle", "dill", "cloudpickle", "marshal"} & imported(path), path
        for node in ast.walk(TREES[path]):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in {"eval", "exec"}, path


def check_sizes(sizes: dict[str, int], most: int, many: int, what: str) -> None:
    """Fail beyond one size, and report all beyond another among the warnings of the run."""
    assert {name: size for name, size in sizes.items() if size > most} == {}
    large = [f"{name} ({size})" for name, size in sorted(sizes.items()) if size > many]
    with warnings.catch_warnings():
        warnings.simplefilter("always", HouseWarning)
        if large:
            warnings.warn(f"more than {many} {what}: {', '.join(large)}", HouseWarning, 2)


def test_files_stay_within_a_reasonable_size():
    sizes = {
        name_of(path): len(path.read_text(encoding="utf-8").splitlines())
        for path in SOURCES
        if path not in KERNELS
    }
    check_sizes(sizes, MOST_LINES, MANY_LINES, "lines")


def test_folders_stay_within_a_reasonable_size():
    sizes = Counter(name_of(path.parent) for path in SOURCES if path.stem != "__init__")
    check_sizes(dict(sizes), MOST_FILES, MANY_FILES, "files")


def named_paths(document: str) -> Iterator[str]:
    """List the files, folders and modules that a document names, placeholders left out."""
    text = (ROOT / document).read_text(encoding="utf-8")
    for code in re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL)):
        if re.fullmatch(r"[\w./]+(\.(py|js|css|toml|md)|/)|probtrees(\.\w+)+", code):
            yield code


@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_files_that_a_document_names_exist(document):
    places = (ROOT, PACKAGE, PACKAGE / "ui" / "shared", *PACKAGE.glob("*/"), *PACKAGE.glob("ui/*/"))
    missing = [
        name
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
