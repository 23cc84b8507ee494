"""Nothing from data is executed, written outside, or taken for markup."""

import ast
import re
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from probtrees.draw.code.rules_as_code import python_rules, sql_rules
from probtrees.draw.ladder import axis_of_tree, ladder_html
from probtrees.draw.picture_file import render
from probtrees.estimators.fitted_model import FittedModel
from probtrees.experiment.fit import fit
from probtrees.explain.path import path_steps
from probtrees.table.dataset import Column, Dataset, Schema
from tests.checks import Reader
from tests.trust.odd_cells import FORMULAS, MARKUP, SCRIPTS

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted(
    path
    for place in ("probtrees", "pages", "app.py")
    for path in ([ROOT / place] if place.endswith(".py") else (ROOT / place).rglob("*.py"))
    if "_bundled" not in path.parts
)

FORBIDDEN_MODULES = {
    "pickle", "cPickle", "dill", "cloudpickle", "marshal", "shelve", "yaml", "jinja2", "mako",
    "code", "codeop", "pty", "ctypes", "xmlrpc", "telnetlib", "ftplib", "smtplib",
}  # fmt: skip
FORBIDDEN_CALLS = {
    "eval", "exec", "compile", "__import__", "os.system", "os.popen", "os.execv", "os.execvp",
    "os.spawnl", "pd.read_pickle", "joblib.load", "joblib.dump",
    "pd.eval", "string.Template", "input",
}  # fmt: skip
CALLS_THE_C_LIBRARY = {"ui/server.py"}
"""By a name that is written there, to give memory back: nothing of a visitor's is involved."""

STARTS_PROGRAMS = {
    "draw/picture_file.py",
    "experiment/warm_up.py",
    "machine/guarded_process.py",
    "model/networks/agrum.py",
}
"""Files that start another program: the layout engine or Python itself, with fixed arguments."""
KEEPS_TABLES = {"ui/shared/session/kept_tables.py"}


def name_of(path: Path) -> str:
    place = path.relative_to(ROOT)
    return str(place.relative_to("probtrees") if place.parts[0] == "probtrees" else place)


@cache
def tree_of(path: Path) -> ast.AST:
    return ast.parse(path.read_text(encoding="utf-8"))


def calls(path: Path) -> Iterator[tuple[str, ast.Call]]:
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func), node


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


def test_no_code_is_made_from_data() -> None:
    assert [fault for path in SOURCES for fault in code_from_data(path)] == []


def code_from_data(path: Path) -> Iterator[str]:
    """List what a file imports or calls that could run what it is given."""
    name = name_of(path)
    unwanted = FORBIDDEN_MODULES - ({"ctypes"} if name in CALLS_THE_C_LIBRARY else set())
    unwanted |= set() if name in STARTS_PROGRAMS else {"subprocess"}
    for module in imports(path):
        if module.split(".")[0] in unwanted:
            yield f"{name} imports {module}"
    for called, call in calls(path):
        said = {k.arg: ast.unparse(k.value) for k in call.keywords}
        is_load = called in ("np.load", "numpy.load")
        if (
            called in FORBIDDEN_CALLS
            or {"shell", "unsafe_allow_html"} & said.keys()
            or (is_load and said.get("allow_pickle") != "False")
            or "exec_module" in called
        ):
            yield f"{name}, line {call.lineno}: {called}"


def test_the_app_writes_no_files() -> None:
    """Uploads stay in memory, or go under a fixed name into a folder that is removed."""
    own = [p for p in SOURCES if "ui" in p.parts or p.parent.name == "pages"]
    makes_folders = "tempfile.TemporaryDirectory()"
    in_folders = {name_of(p) for p in own if makes_folders in p.read_text(encoding="utf-8")}
    assert in_folders <= {"ui/shared/loaded_model.py"}
    # A visitor's own table is kept for a day, in the user's cache folder (--keep).
    checked = [p for p in own if name_of(p) not in {*in_folders, *KEEPS_TABLES}]
    assert [fault for path in checked for fault in files_written(path)] == []


def files_written(path: Path) -> Iterator[str]:
    """List the calls of a file that write one."""
    writing = re.compile(
        r"(^|\.)(write_bytes|write_text|write_atomically|mkstemp|NamedTemporaryFile)$"
    )
    for name, call in calls(path):
        opens = name == "open" or name.endswith(".open")
        modes = [a.value for a in call.args if isinstance(a, ast.Constant)]
        writes = any(isinstance(m, str) and set(m) & set("wax+") for m in modes)
        if writing.search(name) or (opens and writes):
            yield f"{name_of(path)}, line {call.lineno}: {name}"


def test_the_server_is_set_up_to_refuse_strangers() -> None:
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    server = config["server"]
    assert server["enableXsrfProtection"] is True
    assert server["enableCORS"] is True
    assert server["enableStaticServing"] is False
    assert server["maxUploadSize"] <= 500
    assert config["browser"]["gatherUsageStats"] is False
    assert config["client"]["showErrorDetails"] == "none"


HOSTILE = [*MARKUP, *FORMULAS, *SCRIPTS]


def check_inert(html: str) -> None:
    """No element, handler or address in a fragment comes from data."""
    page = Reader(html)
    assert not {"script", "iframe", "object", "embed", "svg", "a"} & page.tags
    for name, value in page.attributes:
        assert name != "src" or value.startswith("data:image/svg+xml;base64,"), value
        assert not name.startswith("on"), (name, value)
        assert "javascript:" not in value.lower() or name in ("title", "aria-label"), (name, value)


def hostile_table(text: str) -> Dataset:
    random = np.random.default_rng(0)
    schema = Schema(
        (Column(f"a{text}"), Column(f"b{text}", (text, "other")), Column(text, ("no", f"{text}!")))
    )
    number, nominal = random.normal(size=80), random.integers(0, 2, 80)
    label = (number + nominal > 0.7).astype(float)
    return Dataset(schema, np.column_stack([number, nominal, label]))


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_is_inert_in_what_is_drawn(text: str) -> None:
    data = hostile_table(text)
    model = fit(data, "c45", "laplace")
    smoothed = model.tree
    node = int(smoothed.tree.leaves[-1])
    steps = path_steps(smoothed, model.schema, node, 1)
    check_inert(ladder_html(steps, axis_of_tree(smoothed, 1)))
    rules = python_rules(smoothed, model.schema)
    allowed = {"Module", "Expr", "Assign", "FunctionDef", "Import", "ImportFrom", "If", "For"}
    assert {type(node).__name__ for node in ast.parse(rules).body} <= allowed
    sql = sql_rules(smoothed, model.schema)
    assert "DROP TABLE" not in re.sub(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"", "", sql)


@pytest.mark.slow
@pytest.mark.parametrize("text", HOSTILE[:14], ids=range(14))
def test_hostile_text_is_inert_in_pictures(text: str) -> None:
    for learner in ("c45", "nb"):
        model = FittedModel.of(fit(hostile_table(text), learner, "laplace"))
        picture = ET.fromstring(render(model.plot(levels=9).dot))
        tags = {element.tag.rpartition("}")[2] for element in picture.iter()}
        assert tags <= {"svg", "g", "title", "polygon", "path", "text", "ellipse", "polyline"} | {
            "a", "defs", "linearGradient", "stop", "rect",
        }  # fmt: skip
        for element in picture.iter():
            assert not any(name.startswith("on") for name in element.attrib)
            assert "javascript:" not in element.get("{http://www.w3.org/1999/xlink}href", "")
