"""Options are declared once, as fields of the algorithm they steer.

The command line, the app and the estimators all build their faces from these
declarations: the type, the bounds, the choices and the help text of a field
are written here and nowhere else.

>>> @dataclass(frozen=True)
... class Example(Options):
...     strength: float = option(1.0, help="Pseudo-rows lent to every leaf.", minimum=0)
>>> Example(strength=-1)
Traceback (most recent call last):
    ...
probtrees.errors.OptionError: strength=-1 must be at least 0. Pseudo-rows lent to every leaf.
"""

from __future__ import annotations

import dataclasses
import math
import types
import typing
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin

import numpy as np

from probtrees.errors import OptionError, did_you_mean

LARGEST = 2.0**53
"""No option is larger: beyond it floating-point numbers skip whole ones."""


def option(
    default: Any,
    *,
    help: str,
    minimum: float | None = None,
    maximum: float | None = None,
    above: float | None = None,
    label: str | None = None,
    flag: bool = False,
    reader: Callable[[Any], Any] | None = None,
) -> Any:
    """Declare one option: a dataclass field with its help text and bounds.

    ``minimum`` and ``maximum`` are inclusive, ``above`` is exclusive. An option with a ``flag``
    has one of its own on the command line (``--min-leaf``); the others are given by ``--set``.
    An option that is neither a number, a truth value nor a text has a ``reader``, which checks
    what is given, also as text; no form has a widget for it.
    """
    return dataclasses.field(
        default=default,
        metadata={
            "help": help,
            "minimum": minimum,
            "maximum": maximum,
            "above": above,
            "label": label,
            "flag": flag,
            "reader": reader,
        },
    )


@dataclass(frozen=True)
class OptionField:
    """One declared option, as a face of the program needs to see it."""

    name: str
    default: Any
    kinds: tuple[type, ...]
    choices: tuple[str, ...]
    optional: bool
    help: str
    label: str
    minimum: float | None
    maximum: float | None
    above: float | None
    flag: bool = False
    reader: Callable[[Any], Any] | None = None

    def check(self, value: Any) -> Any:
        """Return the value in its declared type, or raise :class:`OptionError`."""
        if self.reader is not None:
            return self.reader(value)
        if value is None and self.optional:
            return None
        if isinstance(value, str):
            return self._check_text(value)
        return self._check_plain(value)

    def _check_plain(self, value: Any) -> Any:
        if bool in self.kinds and _is_bool(value):
            return bool(value)
        if int in self.kinds and _is_whole(value):
            return self._within_bounds(value, int(value))
        if float in self.kinds and _is_real(value):
            return self._within_bounds(value, float(value))
        return self._refuse(value, f"be {self._expected()}", self.help)

    def _check_text(self, value: str) -> str:
        if value in self.choices or str in self.kinds:
            return value
        if self.choices and not self.kinds:
            self._refuse(value, "be one of its choices", did_you_mean(value, self.choices))
        return self._refuse(value, f"be {self._expected()}", self.help)

    def parse(self, text: str) -> Any:
        """Turn text from a command line or a link into a checked value."""
        folded = text.strip()
        if self.optional and folded.lower() in {"none", ""}:
            return None
        if self.reader is not None or folded in self.choices:
            return self.check(folded)
        if bool in self.kinds and folded.lower() in {"true", "yes", "on", "1"}:
            return True
        if bool in self.kinds and folded.lower() in {"false", "no", "off", "0"}:
            return False
        for kind in (int, float):
            if kind in self.kinds:
                try:
                    return self.check(kind(folded))
                except OptionError:
                    raise
                except ValueError:
                    continue
        return self.check(folded)

    def _within_bounds(self, given: Any, value: float) -> float:
        if isinstance(value, float) and not math.isfinite(value):
            self._refuse(given, "be a finite number", self.help)
        if abs(value) > LARGEST:
            self._refuse(given, f"lie between -{LARGEST:g} and {LARGEST:g}", self.help)
        if self.minimum is not None and value < self.minimum:
            self._refuse(given, f"be at least {self.minimum:g}", self.help)
        if self.above is not None and value <= self.above:
            self._refuse(given, f"be above {self.above:g}", self.help)
        if self.maximum is not None and value > self.maximum:
            self._refuse(given, f"be at most {self.maximum:g}", self.help)
        return value

    def _expected(self) -> str:
        names = {bool: "yes or no", int: "a whole number", float: "a number", str: "text"}
        words = [names[kind] for kind in self.kinds if kind in names]
        words += [repr(choice) for choice in self.choices]
        if self.optional:
            words.append("none")
        return " or ".join(words)

    def _refuse(self, value: Any, rule: str, advice: str) -> typing.NoReturn:
        raise OptionError(f"{self.name}={value!r} must {rule}. {advice}")


@dataclass(frozen=True)
class Options:
    """Base of every algorithm: its fields are its options, checked when it is made."""

    def __post_init__(self) -> None:
        for field in option_fields(type(self)):
            object.__setattr__(self, field.name, field.check(getattr(self, field.name)))

    def to_dict(self) -> dict[str, Any]:
        """Return the options by name, as they are written into a model file.

        Those with a reader are lists of records, and there only where they are not empty.
        """
        options = {}
        for field in option_fields(type(self)):
            value = getattr(self, field.name)
            if field.reader is None:
                options[field.name] = value
            elif value:
                options[field.name] = [each.to_dict() for each in value]
        return options


def option_fields(algorithm: type) -> tuple[OptionField, ...]:
    """List the declared options of an algorithm, in the order of declaration."""
    return _read_fields(typing.cast(Hashable, algorithm))


@cache
def _read_fields(algorithm: Any) -> tuple[OptionField, ...]:
    hints = typing.get_type_hints(algorithm)
    return tuple(
        _describe(field, hints[field.name])
        for field in dataclasses.fields(algorithm)
        if "help" in field.metadata
    )


def build(algorithm: type, values: typing.Mapping[str, Any]) -> Any:
    """Make an algorithm from option values by name, naming unknown options.

    Values given as text (from a command line or a link) are parsed first.
    """
    known = {field.name: field for field in option_fields(algorithm)}
    for name in values:
        if name not in known:
            label = getattr(algorithm, "name", algorithm.__name__)
            if not known:
                raise OptionError(f"option={name!r} must not be set: {label!r} has no options.")
            raise OptionError(
                f"option={name!r} must be an option of {label!r}. {did_you_mean(name, known)}"
            )
    parsed = {
        name: known[name].parse(value) if isinstance(value, str) else value
        for name, value in values.items()
    }
    return algorithm(**parsed)


def _describe(field: dataclasses.Field[Any], hint: Any) -> OptionField:
    label = field.metadata["label"] or field.name.replace("_", " ").capitalize()
    said = {**field.metadata, "label": label}
    return OptionField(field.name, field.default, *_unpack_type(hint), **said)


def _unpack_type(hint: Any) -> tuple[tuple[type, ...], tuple[str, ...], bool]:
    """Split a type hint into plain types, literal choices, and whether None is allowed."""
    if get_origin(hint) is Literal:
        return (), tuple(get_args(hint)), False
    if get_origin(hint) in (Union, types.UnionType):
        kinds: tuple[type, ...] = ()
        choices: tuple[str, ...] = ()
        optional = False
        for part in get_args(hint):
            if part is type(None):
                optional = True
                continue
            part_kinds, part_choices, _ = _unpack_type(part)
            kinds += part_kinds
            choices += part_choices
        return kinds, choices, optional
    return (hint,), (), False


def _is_bool(value: Any) -> bool:
    return isinstance(value, bool | np.bool_)


def _is_whole(value: Any) -> bool:
    return _is_real(value) and math.isfinite(value) and float(value).is_integer()


def _is_real(value: Any) -> bool:
    if _is_bool(value) or isinstance(value, str | bytes | bytearray):
        return False
    try:
        float(value)
    except (TypeError, ValueError, OverflowError):
        return False
    return True
