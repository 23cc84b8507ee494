"""Killed, out of space, not allowed to write: nothing finished is lost, nothing half is used."""

import random
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import numpy as np

import probtrees
from probtrees.experiment.fit import fit, load_model
from probtrees.experiment.warm_up import warm_up
from tests.small_tables import patients, write_csv
from tests.trust.bad_files import BadFile
from tests.trust.dying_child import Fault, Outcome, run_in_child
from tests.trust.journey import Step, check_sentence, demand


def fault_journey(file: BadFile, chance: random.Random, folder: Path, step: Step) -> str:
    """Play a scene, that is what is being done when the fault strikes; all of them in turn."""
    _get_ready()
    words = list(SCENES)[int(file.name) % len(SCENES)]
    step(words)
    write_csv(patients(90), folder / "patients.csv")
    return SCENES[words](chance, folder)


@cache
def _get_ready() -> None:
    """Load the kernels once, so that children need not."""
    warm_up(("c45", "nb", "kdb"), ("mle", "laplace", "m-branch"))


def _kill(chance: random.Random, most_writes: int) -> Fault:
    if chance.random() < 0.7:
        return Fault(at_write=chance.randint(1, most_writes))
    return Fault(after_seconds=chance.uniform(0.005, 0.6))


def _full(chance: random.Random) -> Fault:
    return Fault(most_bytes=int(10 ** chance.uniform(0, 4.5)))


def _check_refusal(outcome: Outcome, *, old: bytes, path: Path) -> str:
    """A command that could not write says so in one sentence and leaves what was there."""
    demand("Traceback" not in outcome.err, outcome.err[-1500:])
    if outcome.code == 0:
        return "result"
    demand(outcome.code == 2, f"exit code {outcome.code}: {outcome.err[-1500:]}")
    lines = [line for line in outcome.err.splitlines() if line.startswith("probtrees: ")]
    # A disk so full that not even the sentence fits is reported by the exit code alone.
    demand(len(lines) <= 1, outcome.err[-1500:])
    if lines and lines[0].endswith("."):
        check_sentence(lines[0])
    demand(path.read_bytes() == old, f"{path.name} was changed by a command that failed")
    demand(not list(path.parent.glob(f".{path.name}.*")), "a temporary file was left behind")
    return "sentence"


Faulty = Callable[[random.Random], Fault]
Scene = Callable[[random.Random, Path], str]


def _overwrite(
    arguments: list[str], path: Path, fault: Fault, is_whole: Callable[[bytes], bool]
) -> str:
    """Run a command that writes over a file: the old one or the new one, never a part of one."""
    old = path.read_bytes()
    outcome = run_in_child([*arguments, str(path)], path.parent, fault)
    now = path.read_bytes()
    demand(now == old or is_whole(now), f"a half-written {path.name}")
    return "result" if outcome.was_killed else _check_refusal(outcome, old=old, path=path)


def _save(fault: Faulty, chance: random.Random, folder: Path) -> str:
    path = folder / chance.choice(("model.json", "model.json.gz"))
    fit(patients(30, seed=1), "c45", "mle").save(path)
    arguments = [*_grow(folder), "--out"]
    return _overwrite(
        arguments, path, fault(chance), lambda _: load_model(path).smoother == "laplace"
    )


def _predict(fault: Faulty, chance: random.Random, folder: Path) -> str:
    table, model, path = (folder / n for n in ("patients.csv", "model.json", "proba.csv"))
    fit(patients(60), "c45", "laplace").save(model)
    path.write_text("what was there\n")
    arguments = ["predict", str(model), str(table), "--quiet", "--out"]
    if chance.random() < 0.3:
        arguments = ["evaluate", str(table), "--cv", "2", "--quiet"]
        arguments += ["--smoother", "laplace", "--predictions"]
    return _overwrite(arguments, path, fault(chance), lambda now: now.count(b"\n") == 91)


def _report(fault: Faulty, chance: random.Random, folder: Path) -> str:
    path = folder / "report.html"
    path.write_text("what was there")
    arguments = [*_grow(folder), "--report"]
    return _overwrite(arguments, path, fault(chance), lambda now: now.rstrip().endswith(b"</html>"))


def _grow(folder: Path) -> list[str]:
    return ["grow", str(folder / "patients.csv"), "--smoother", "laplace", "--quiet"]


def _benchmark(fault: Faulty, chance: random.Random, folder: Path) -> str:
    tables, results = _tables(folder), folder / "results.csv"
    report = folder / "report.html"
    arguments = ["benchmark", str(tables), "--smoothers", "mle,laplace,m-branch", "--cv", "2"]
    arguments += ["--models", "c45,nb", "--quiet", "--out", str(results)]
    for _ in range(chance.choice((1, 2, 3))):
        run_in_child([*arguments, "--report", str(report)], folder, fault(chance))
        if report.exists():
            demand(report.read_text().rstrip().endswith("</html>"), "half a report")
    finished = _whole_lines(results)
    outcome = run_in_child(arguments, folder)
    demand(outcome.code == 0, outcome.err[-1500:])
    found = _whole_lines(results)
    demand(set(finished) <= set(found), "a finished result was lost or made again")
    demand(len(found) == 1 + 2 * (2 * 3 + 1), f"{len(found)} lines, base rates among them")
    return "result"


def _tables(folder: Path) -> Path:
    tables = folder / "tables"
    if not tables.exists():
        tables.mkdir()
        for number in range(2):
            write_csv(patients(40, seed=number), tables / f"t{number}.csv")
    return tables


def _whole_lines(path: Path) -> list[str]:
    text = path.read_text() if path.exists() else ""
    return [line for line in text[: text.rfind("\n") + 1].splitlines() if line]


def _chunks(chance: random.Random, folder: Path) -> str:
    """A pass over a table in chunks is killed; the next run goes on and finds the same model."""
    arguments = ["grow", str(folder / "patients.csv"), "--chunks", "--model", "kdb", "--quiet"]
    arguments += ["--smoother", "laplace", "--memory", "256MB"]
    whole, path = folder / "whole.json", folder / "model.json"
    first = run_in_child([*arguments, "--out", str(whole)], folder)
    demand(first.code == 0, first.err[-1500:])
    work = folder / "passes"
    again = [*arguments, "--work", str(work), "--out", str(path)]
    for _ in range(chance.choice((1, 2))):
        run_in_child(again, folder, _kill(chance, 12))
    outcome = run_in_child(again, folder)
    demand(outcome.code == 0, outcome.err[-1500:])
    resumed, undisturbed = (
        probtrees.load_model(place).predict_proba(folder / "patients.csv")
        for place in (path, whole)
    )
    demand(np.array_equal(resumed, undisturbed), "a resumed pass gives another model")
    return "result"


def _unwritable(chance: random.Random, folder: Path) -> str:
    """A place that cannot be written: a file taken for a folder, a system folder, a full device."""
    table = folder / "patients.csv"
    place = chance.choice(
        ("patients.csv/x.json", "missing/x.json", "", "/proc/x.json", "/dev/full")
    )
    out = place if place.startswith("/") else str(folder / place)
    commands = (
        ["grow", str(table), "--smoother", "laplace", "--out", out],
        ["grow", str(table), "--smoother", "laplace", "--report", out],
        ["evaluate", str(table), "--smoother", "laplace", "--cv", "2", "--predictions", out],
        ["benchmark", str(_tables(folder)), "--smoothers", "mle", "--cv", "2", "--out", out],
        ["benchmark", str(_tables(folder)), "--smoothers", "mle", "--cv", "2", "--report", out],
    )
    outcome = run_in_child([*chance.choice(commands), "--quiet"], folder)
    return _check_refusal(outcome, old=table.read_bytes(), path=table)


SCENES: dict[str, Scene] = {
    "killed while saving": partial(_save, lambda chance: _kill(chance, 10)),
    "killed while predicting": partial(_predict, lambda chance: _kill(chance, 10)),
    "killed in a benchmark": partial(_benchmark, lambda chance: _kill(chance, 40)),
    "killed between passes": _chunks,
    "killed while reporting": partial(_report, lambda chance: _kill(chance, 10)),
    "disk full while reporting": partial(_report, _full),
    "disk full while saving": partial(_save, _full),
    "disk full while predicting": partial(_predict, _full),
    "disk full in a benchmark": partial(_benchmark, _full),
    "a place that cannot be written": _unwritable,
}
