"""The walk every case takes: read, grow, smooth, predict, evaluate, draw, explain, save, load.

A journey ends in ``"result"`` or in ``"sentence"``; everything else raises. Work that tells
its progress is cancelled after a while: that it can be is part of the promise.
"""

import contextlib
import io
import json
import random
import re
import time
import warnings
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from probtrees.cli import main
from probtrees.cli.model_text import model_record, model_text
from probtrees.draw.code.rules_as_code import python_rules, sql_rules
from probtrees.draw.ladder import axis_of_tree, ladder_html
from probtrees.draw.node_card import outline
from probtrees.draw.picture_file import render
from probtrees.draw.tables import leaf_table, rows_table
from probtrees.draw.tree_data import tree_numbers, tree_texts
from probtrees.errors import ProbTreesError, ProbTreesWarning
from probtrees.estimators.fitted_model import FittedModel
from probtrees.experiment.evaluation.cross_validate import compare
from probtrees.experiment.fit import load_model
from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.registry import DISCRETIZERS, LEARNERS, SMOOTHERS
from probtrees.explain.leaf import explain_leaf
from probtrees.explain.path import path_steps
from probtrees.explain.row import explain_row
from probtrees.model.model import Model
from probtrees.model.predict import predict_proba
from probtrees.table.dataset import Dataset, Schema
from probtrees.table.read_table import read_table
from probtrees.table.table_report import inspect_table
from tests.small_tables import QUICK, patients
from tests.trust.bad_files import BadFile

PATIENCE = 10.0
"""Seconds after which work that reports its progress is cancelled."""

Step = Callable[[str], None]
"""Given what is being done, so that whoever watches knows where it hangs."""


LONGEST_SENTENCE = 700
"""Characters; names from data are part of a sentence, but shortened."""


class InvalidAnswerError(AssertionError):
    """The program answered, and the answer is wrong by its form alone."""


def demand(holds: bool, what: str) -> None:
    """Raise unless a promise holds."""
    if not holds:
        raise InvalidAnswerError(what)


def check_probabilities(proba: Any, n_rows: int, n_classes: int) -> None:
    """Finite, within [0, 1], and every row sums to 1."""
    demand(proba.shape == (n_rows, n_classes), f"shape {proba.shape} for {(n_rows, n_classes)}")
    demand(bool(np.isfinite(proba).all()), "a probability is not finite")
    demand(bool(((proba >= 0) & (proba <= 1)).all()), "a probability is not within [0, 1]")
    sums = proba.sum(axis=1)
    demand(bool(np.abs(sums - 1).max(initial=0) < 1e-9), f"rows sum to {sums.min()}..{sums.max()}")


def check_sentence(problem: ProbTreesError | str) -> None:
    """One line a person can read: it ends like a sentence and is not a whole page."""
    said = str(problem)
    demand(said.strip() != "", "an error without words")
    demand(len(said.splitlines()) == 1, f"more than one line: {said[:300]!r}")
    demand(said.rstrip().endswith((".", "?", "'")), f"no sentence: {said[:300]!r}")
    demand(len(said) <= LONGEST_SENTENCE, f"{len(said)} characters: {said[:300]!r}")
    demand("Traceback" not in said, "a traceback")
    demand(
        re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e]", said) is None,
        f"control characters: {said[:300]!r}",
    )


class PatienceOver(Exception):  # noqa: N818 - it is no error
    """Raised inside work that took long, to see that it can be stopped."""


def impatient() -> Callable[[float, str], None]:
    """Make a progress callback that cancels what takes long."""
    until = time.monotonic() + PATIENCE

    def progress(share: float, words: str) -> None:
        demand(-1e-9 <= share <= 1 + 1e-9, f"progress {share}")
        if time.monotonic() > until:
            raise PatienceOver(words)

    return progress


@contextlib.contextmanager
def strictly() -> Iterator[None]:
    """Take warnings that were not written for people as failures."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ProbTreesWarning)
        yield


def table_journey(file: BadFile, chance: random.Random, folder: Path, step: Step) -> str:
    """Take a table through everything; return how it ended."""
    path = folder / file.name
    path.write_bytes(file.content)
    if chance.random() < 0.08:
        return command_line_journey(path, chance, folder, step)
    with strictly():
        step("inspect")
        usable = _inspect(path)
        step("read")
        try:
            data = read_table(path if chance.random() < 0.5 else (file.name, file.content))
        except ProbTreesError as problem:
            check_sentence(problem)
            demand(usable is not True, f"inspected as usable, refused as {problem}")
            _read_otherwise(path, chance, step)
            return "sentence"
        demand(usable is not False, "inspected as unusable, and read")
        return _grow_and_use(data, chance, folder, step)


def _inspect(path: Path) -> bool | None:
    """Look at a table; tell whether it can be used, None if it cannot even be looked at."""
    try:
        report = inspect_table(path)
    except ProbTreesError as problem:
        check_sentence(problem)
        return None
    for finding in report.findings:
        check_sentence(str(finding))
    return report.usable


def _read_otherwise(path: Path, chance: random.Random, step: Step) -> None:
    """Read it for a model's schema, and with read_options drawn by lot: neither may fall over."""
    step("read for a schema")
    model = grow_model(patients(40), "c45").smooth("laplace")
    with contextlib.suppress(ProbTreesError):
        rows = read_table(path, schema=model.schema)
        check_probabilities(predict_proba(model, rows), rows.n_rows, 3)
    step("read with read_options")
    read_options: dict[str, Any] = {
        "steps": [{"step": "cut", "classes": chance.choice((-1, 0, 1, 2, 10, 10**9))}],
        "roles": {"c0": chance.choice(("weight", "group", "time", "ignore", "target", "x"))},
        "types": {"c1": chance.choice(("numeric", "nominal", "date", "text", "boolean", "x"))},
    }
    try:
        read_table(
            path, **{name: read_options[name] for name in read_options if chance.random() < 0.5}
        )
    except ProbTreesError as problem:
        check_sentence(problem)


def _grow_and_use(data: Dataset, chance: random.Random, folder: Path, step: Step) -> str:
    """Grow a few models from a readable table and use them for all they are for."""
    ended = "sentence"
    names = ["c45", chance.choice(list(LEARNERS))]
    for learner in dict.fromkeys(chance.sample(names, chance.choice((1, 2)))):
        settings: dict[str, Any] = {}
        if LEARNERS[learner].is_network:
            settings["discretizer"] = chance.choice(list(DISCRETIZERS))
        elif chance.random() < 0.2:
            settings["routing"] = "soft"
        step(f"grow {learner} {settings}")
        try:
            grown = grow_model(data, learner, progress=impatient(), **settings)
            smoothers = list(SMOOTHERS) if learner == "c45" else chance.sample(list(SMOOTHERS), 3)
            for smoother in smoothers:
                step(f"smooth {learner} {smoother}")
                model = grown.smooth(smoother, QUICK.get(smoother), progress=impatient())
                check_probabilities(predict_proba(model, data), data.n_rows, data.n_classes)
            use_model(model, data, chance, folder, step)
            step(f"evaluate {learner}")
            _evaluate(data, learner, settings, chance)
            ended = "result"
        except ProbTreesError as problem:
            check_sentence(problem)
        except PatienceOver:
            ended = "result"
    return ended


def _evaluate(data: Dataset, learner: str, settings: dict[str, Any], chance: random.Random) -> None:
    smoother = chance.choice(("mle", "laplace", "m-branch", "hgs"))
    folds = chance.choice((2, 3))
    (result,) = compare(data, learner, [smoother], folds=folds, progress=impatient(), **settings)
    record = json.dumps(result.to_dict(), allow_nan=False)
    demand(json.loads(record) is not None, "an empty result")


def use_model(model: Model, data: Dataset, chance: random.Random, folder: Path, step: Step) -> None:
    """Draw, explain, save and load a model."""
    step("draw")
    picture = FittedModel.of(model).plot(levels=chance.choice((None, 0, 2)))
    dot = getattr(picture, "dot", "digraph")  # curves of columns have none
    demand(dot.startswith("digraph"), "a picture that is none")
    model_text(model, 3)
    json.dumps(model_record(model), allow_nan=False)
    if chance.random() < 0.03 and 10 < len(dot) < 100_000:
        step("render")
        ET.fromstring(render(dot))
    if len(model.trees) == 1:
        _draw_tree(model, data, chance)
    step("explain a row")
    if data.n_rows and len(model.trees) < 200:
        explain_row(model, data, chance.randrange(data.n_rows))
    step("save and load")
    path = folder / chance.choice(("model.json", "model.json.gz"))
    model.save(path)
    again = load_model(path)
    demand(
        np.array_equal(predict_proba(again, data), predict_proba(model, data)),
        "a loaded model answers otherwise",
    )


def _draw_tree(model: Model, data: Dataset, chance: random.Random) -> None:
    smoothed, schema = model.tree, model.schema
    tree = smoothed.tree
    outcome = chance.randrange(tree.n_outcomes)
    node = chance.randrange(tree.n_nodes)
    outline(smoothed, schema, outcome=outcome, max_depth=4)
    explain_leaf(smoothed, node, schema, outcome)
    ladder_html(path_steps(smoothed, schema, node, outcome), axis_of_tree(smoothed, outcome))
    leaf_table({"this": smoothed}, schema, outcome)
    rows_table(data, np.arange(min(data.n_rows, 3)))
    json.dumps(tree_texts(tree, schema), allow_nan=False)
    json.dumps(tree_numbers(smoothed, outcome=outcome), allow_nan=False)
    if tree.n_nodes < 500:
        compile(python_rules(smoothed, schema), "rules.py", "exec")
        sql_rules(smoothed, schema)


def model_journey(file: BadFile, chance: random.Random, folder: Path, step: Step) -> str:
    """Load a model file; what loads must answer, be drawn and be saved like any other."""
    path = folder / file.name
    path.write_bytes(file.content)
    with strictly():
        try:
            step("load")
            model = load_model(path)
            step("use")
            rows = _rows_for(model.schema, chance)
            check_probabilities(predict_proba(model, rows), rows.n_rows, rows.n_classes)
            use_model(model, rows, chance, folder, step)
        except ProbTreesError as problem:
            check_sentence(problem)
            return "sentence"
    return "result"


def _rows_for(schema: Schema, chance: random.Random) -> Dataset:
    """Make rows that a schema allows, some cells missing."""
    n_values = [column.n_values for column in schema.columns]
    values = [
        [chance.randrange(n) if n else chance.gauss(50, 20) for n in n_values] for _ in range(12)
    ]
    table = np.array(values, dtype=np.float64).reshape(12, len(n_values))
    table[:3, :-1] = np.nan
    return Dataset(schema, table)


def command_line_journey(path: Path, chance: random.Random, folder: Path, step: Step) -> str:
    """Hand a table to a command as a user would."""
    commands: tuple[tuple[str, ...], ...] = (
        ("grow", "--smoother", "laplace", "--format", chance.choice(("text", "json", "dot"))),
        ("grow", "--out", str(folder / "m.json"), "--model", chance.choice(("nb", "kdb", "tan"))),
        ("evaluate", "--smoother", "laplace", "--cv", chance.choice(("2", "5")), "--json"),
        ("compare", "--cv", "2", "--set", "hdp.n_iterations=20"),
        ("predict", str(saved_model(folder)), "--out", str(folder / "p.csv")),
    )
    command, *options = chance.choice(commands)
    arguments = [command, *options[:1], str(path)] if command == "predict" else [command, str(path)]
    arguments += options[1:] if command == "predict" else options
    step(" ".join(arguments))
    return run_command(arguments)


def run_command(arguments: list[str]) -> str:
    """Run a command in this process and judge what it says and how it ends."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(arguments)
    said = err.getvalue()
    demand("Traceback" not in said, said[-2000:])
    if code == 0:
        return "result"
    demand(code == 2, f"exit code {code}: {said[-2000:]}")
    lines = [line for line in said.splitlines() if line.startswith("probtrees: ")]
    demand(len(lines) == 1, f"{len(lines)} sentences: {said[-2000:]}")
    demand(out.getvalue() == "", "a refused command that prints a result")
    check_sentence(lines[0])
    return "sentence"


def saved_model(folder: Path) -> Path:
    """Save a small model, unless it is there."""
    path = folder / "ready.json"
    if not path.exists():
        grow_model(patients(40), "c45").smooth("laplace").save(path)
    return path
