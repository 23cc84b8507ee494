"""Options of reading: how their fields are declared for command lines, and checked."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any

from probtrees.errors import OptionError, did_you_mean
from probtrees.table.table_report import Role

SINGLE_ROLES: tuple[Role, ...] = ("target", "weight", "group", "time")
"""Roles that only one column can have."""


def flagged(
    default: Any,
    flag: str,
    metavar: str | None,
    help: str,
    *,
    read: Callable[[str], Any] = str,
    choices: tuple[str, ...] | None = None,
) -> Any:
    """Declare an option that command lines give by a flag; ``read`` makes a value of its text.

    A flag of a mapping or a tuple may be repeated, unless ``read`` makes the whole of it.
    """
    repeated = read is str and (default is dict or isinstance(default, tuple))
    more = "; may be repeated" if repeated else ""
    said: dict[str, Any] = {"flag": flag, "metavar": metavar, "help": help + more, "read": read}
    said |= {"choices": choices, "repeated": repeated}
    return (
        field(default_factory=dict, metadata=said)
        if default is dict
        else field(default=default, metadata=said)
    )


def check_each(what: str, given: Iterable[str], allowed: Sequence[str], rule: str) -> None:
    """Refuse words that are none of those allowed."""
    for word in given:
        if word not in allowed:
            raise OptionError(f"{what}={word!r} must be {rule}. {did_you_mean(word, allowed)}")


def check_whole(what: str, given: Any, most: int | None, least: int = 1) -> None:
    """Refuse what is no whole number in a range."""
    if type(given) is not int or given < least or (most is not None and given > most):
        rule = f"{least} or more" if most is None else f"from {least} to {most}"
        raise OptionError(f"{what}={given!r} must be a whole number, {rule}. See its help.")


def check_words(what: str, given: Mapping[str, str], allowed: Sequence[str]) -> None:
    """Refuse words said of columns that are none of those allowed."""
    for name, word in given.items():
        if word not in allowed:
            raise OptionError(
                f"{what}[{name!r}]={word!r} must be one of its words. {did_you_mean(word, allowed)}"
            )


def comma_separated(text: str) -> tuple[str, ...]:
    """Split words at commas.

    >>> comma_separated("days, month")
    ('days', 'month')
    """
    return tuple(part.strip() for part in text.split(","))


def by_name(given: Mapping[str, Any]) -> dict[str, Any]:
    """Sort what was said of columns, so that equal settings are also shown in the same order."""
    return dict(sorted(given.items()))


def hashable(value: Any) -> Any:
    """Return what has the same hash where mappings are equal, whatever their order."""
    return frozenset(value.items()) if isinstance(value, Mapping) else value


def plain_value(value: Any) -> Any:
    """Return an option's value ready for JSON."""
    if isinstance(value, Mapping):
        return {name: plain_value(entry) for name, entry in value.items()}
    return list(value) if isinstance(value, tuple) else value


def check_cut(bin_target: int | None, cut_target: float | None) -> None:
    """Refuse a wrong number of classes, a cut that is no number, and both together."""
    if bin_target is not None and not 2 <= bin_target <= 100:
        raise OptionError(
            f"bin_target={bin_target!r} must be between 2 and 100. It is the number of classes "
            "that a numeric target is cut into."
        )
    if cut_target is not None and (bin_target is not None or not math.isfinite(cut_target)):
        raise OptionError(
            f"cut_target={cut_target!r} must be a finite number, and bin_target must not be set "
            "beside it. Give one of the two."
        )


def check_single_roles(roles: Mapping[str, str], target: str | None) -> None:
    """Refuse a role that is given to two columns and can only be given to one."""
    for role in SINGLE_ROLES:
        named = [name for name, given in roles.items() if given == role]
        if role == "target" and target is not None:
            named = list(dict.fromkeys([target, *named]))
        if len(named) > 1:
            raise OptionError(
                f"roles: {role!r} must be given to one column, not to {named[0]!r} and "
                f"{named[1]!r}. Choose one."
            )
