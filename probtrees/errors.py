"""What can go wrong, in one sentence a person can act on.

::

    ValueError
    └── ProbTreesError
        ├── DataError      something about the table: a file, a row, a column
        └── OptionError    something about a setting: its name or its value

Every message says what is wrong, where, and what to do about it, in the form
``{what}={value!r} must {rule}. {what to do}``.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]+")
_TURNING = re.compile(r"[\u202a-\u202e\u2066-\u2069]")
_LONGEST = 600
"""Characters of a message; names and cells in it can be of any length."""

_COMPARED = 500
"""Characters of a name, and names, that are compared to find a slip."""


def one_line(text: str) -> str:
    r"""Replace line breaks and characters that no file format carries by a space.

    >>> one_line("a\nb\x00c")
    'a b c'
    """
    return _CONTROL.sub(" ", text)


def as_sentence(text: str) -> str:
    """Make text that quotes data readable: one line, one direction, a long middle left out.

    >>> as_sentence("name='" + 1000 * "x" + "' must be short.")[-20:]
    "xxxx' must be short."
    """
    plain = _TURNING.sub("", one_line(text))
    if len(plain) <= _LONGEST:
        return plain
    return f"{plain[: _LONGEST // 2]} … {plain[3 - _LONGEST // 2 :]}"


class ProbTreesError(ValueError):
    """Base of every error that is meant to be read by the user: always one line."""

    def __init__(self, message: object = "") -> None:
        super().__init__(as_sentence(str(message)))


class DataError(ProbTreesError):
    """The data cannot be used as they are."""


class OptionError(ProbTreesError):
    """A setting has a name or a value that is not allowed."""


class ProbTreesWarning(UserWarning):
    """Something the user should know, although the work goes on."""


def did_you_mean(name: str, candidates: Iterable[str]) -> str:
    """Suggest the closest candidate, or list the candidates when none is close.

    >>> did_you_mean("Clas", ["Age", "Class"])
    "Did you mean 'Class'?"
    >>> did_you_mean("zzz", ["mle", "hgs"])
    "Choose one of 'mle', 'hgs'."
    """
    names = list(candidates)
    # Comparing takes the product of both lengths: what is long, or one of very many, is no slip.
    short = [known for known in names if len(known) <= _COMPARED][:_COMPARED]
    close = difflib.get_close_matches(name, short, n=1) if len(name) <= _COMPARED else []
    if not close:
        folded = {candidate.casefold(): candidate for candidate in names}
        close = [folded[name.casefold()]] if name.casefold() in folded else []
    if close:
        return f"Did you mean {close[0]!r}?"
    shown = ", ".join(repr(candidate) for candidate in names[:12])
    return f"Choose one of {shown}{', ...' if len(names) > 12 else ''}."


def check_known(
    what: str,
    name: str,
    known: Collection[str],
    rule: str,
    error: type[ProbTreesError] = OptionError,
) -> None:
    """Refuse a name that is none of those known, and say which may be meant.

    >>> check_known("step", "jion", ["join", "group"], "one of the steps")
    Traceback (most recent call last):
    probtrees.errors.OptionError: step='jion' must be one of the steps. Did you mean 'join'?
    """
    if name not in known:
        advice = instead_of(str(name).replace(" ", "-")) or did_you_mean(str(name), known)
        raise error(f"{what}={name!r} must be {rule}. {advice}")


_INSTEAD = {
    "write it as a step of --steps FILE.json": "--age --days-to --count-until --join --group "
    "--split-choices --join-outcomes --cut-target --bin-target --empty-no --none-is-zero",
    "give --missing COLUMN=TEXT": "--missing-text --keep-words",
    "give --type COLUMN=KIND": "--numbers-in --as-written --date-parts",
    "change the file": "--table --odd-lines --fill-down --one-scale --split-numbers --turn-marks",
    "weigh the rows with --role COLUMN=weight": "--prevalence",
    "give the table to validate in Python as training": "--training",
    "use scikit-learn's LearningCurveDisplay": "--learning-curve --curves",
    "use the Network page, or arc_strengths in Python": "--arcs",
    "ask compare with --outcome CLASS --false-alarm COST --miss COST": "--costs",
    "call register_smoother in a script, and then probtrees.cli.main()": "--with",
    "recode the texts, or correct them in the file": "number-in-text quarter year-and-month",
    "write the unit into the name of the column": "unit",
    "give the type date": "compact-date",
    "remove repeated rows from the file": "once",
}
"""What to do in place of options, types and steps that older versions had."""


def instead_of(option: str) -> str:
    """Return what to do in place of an option that is gone; nothing where none has been.

    >>> instead_of("--arcs")
    'It is gone; instead use the Network page, or arc_strengths in Python.'
    """
    now = next((now for now, gone in _INSTEAD.items() if option in gone.split()), None)
    return "" if now is None else f"It is gone; instead {now}."
