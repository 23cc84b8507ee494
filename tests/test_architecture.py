"""The rules of the house that no linter knows; see docs/architecture.md."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "probtrees"
SOURCES = sorted(path for path in PACKAGE.rglob("*.py") if "_bundled" not in path.parts)
KERNELS = [path for path in SOURCES if path.name.endswith("_kernels.py")]


def imported(path: Path) -> Iterator[str]:
    """List the modules a file imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.stem)
def test_kernels_import_only_numbers(path):
    allowed = {"__future__", "math", "typing", "numpy", "numpy.typing", "numba"}
    assert set(imported(path)) <= allowed


def test_only_kernels_are_compiled():
    compilers = {"jit", "njit", "prange", "vectorize", "guvectorize"}
    for path in SOURCES:
        if path in KERNELS:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("numba"):
                assert not compilers & {alias.name for alias in node.names}, path


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
        assert not {"pickle", "dill", "cloudpickle", "marshal"} & set(imported(path)), path
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in {"eval", "exec"}, path


def test_everything_stays_within_a_reasonable_size():
    long = {
        name_of(path): len(path.read_text(encoding="utf-8").splitlines())
        for path in SOURCES
        if path not in KERNELS
    }
    assert {name: lines for name, lines in long.items() if lines > 450} == {}
