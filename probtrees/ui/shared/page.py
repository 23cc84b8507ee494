"""A page of the app, declared once: its name, title and help, and what its link holds.

Each page's folder declares its page; :mod:`probtrees.ui.pages` lists them. Navigation, help,
links and the server read that list. What a link holds are choices by name, each with how it is
read and written; text that makes no sense raises ValueError.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitAPIException

from probtrees.table.dataset import MISSING
from probtrees.table.read_table import sample_names
from probtrees.ui.shared.session import state
from probtrees.ui.shared.table_source import ChosenTable, current_source

LARGEST = 2**31
"""No number in a link is larger."""
_LONGEST = 4000
"""Letters of a part of a link; browsers cut longer addresses off."""


@dataclass(frozen=True)
class LinkChoice:
    """One choice that a link holds.

    Attributes
    ----------
    key : where the session keeps it
    read, write : from the text of a link, and to it
    usual : the value that is left out of links
    of_table : whether it makes sense only with a table
    of_sample : whether it may hold values of rows or names of columns: links made on one's own
        table leave it out
    """

    key: str
    read: Callable[[str], Any]
    write: Callable[[Any], str] = str
    usual: Any = None
    of_table: bool = True
    of_sample: bool = False


def one_of(names: Callable[[], Iterable[str]]) -> Callable[[str], str]:
    """Read a name that must be one of several.

    >>> one_of(lambda: ("hgs", "hdp"))("hdp")
    'hdp'
    """

    def read(text: str) -> str:
        if text not in names():
            raise ValueError(text)
        return text

    return read


def several_of(names: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    """Read names that must be some of several, with commas between them; ``",".join`` writes them.

    >>> several_of(lambda: ("hgs", "hdp"))("hdp,hgs")
    ['hdp', 'hgs']
    """

    def read(text: str) -> list[str]:
        return list(dict.fromkeys(map(one_of(names), filter(None, text.split(",")))))

    return read


def whole(low: int = 0, high: int = LARGEST) -> Callable[[str], int]:
    """Read a whole number between bounds.

    >>> whole(1, 5)("3")
    3
    """
    return partial(_within, int, low, high)


def between(low: float, high: float) -> Callable[[str], float]:
    """Read a number between bounds.

    >>> between(0, 1)("0.5")
    0.5
    """
    return partial(_within, float, low, high)


def _within(kind: Callable[[str], Any], low: float, high: float, text: str) -> Any:
    number = kind(text)
    if not low <= number <= high:  # also refuses NaN
        raise ValueError(text)
    return number


def yes_or_no(text: str) -> bool:
    """Read 1 or 0, which ``"{:d}".format`` writes.

    >>> yes_or_no("1"), yes_or_no("0")
    (True, False)
    """
    return bool(whole(0, 1)(text))


def read_typed(text: str) -> dict[int, float]:
    """Read from a link what was typed over a row: columns by number and their values.

    A category is written as its code, nothing where nothing is recorded.

    >>> read_typed("3:54,5:")
    {3: 54.0, 5: nan}
    """
    if len(text) > _LONGEST:
        raise ValueError(text)
    found = {}
    for part in text.split(","):
        column, colon, value = part.partition(":")
        number = float(value) if value else MISSING
        if not colon or not column.isdecimal() or math.isinf(number):
            raise ValueError(text)
        found[int(column)] = number
    return found


def write_typed(typed: dict[int, float]) -> str:
    """Write what :func:`read_typed` reads.

    >>> write_typed({3: 54.0, 5: float("nan")})
    '3:54.0,5:'
    """
    return ",".join(
        f"{column}:{'' if math.isnan(value) else repr(float(value))}"
        for column, value in typed.items()
    )


def typed_choice(key: str) -> LinkChoice:
    """Declare that a link holds what was typed."""
    return LinkChoice(key, read_typed, write_typed, usual={}, of_sample=True)


def table_choices() -> dict[str, LinkChoice]:
    """List what every link holds of the table: the sample, and the outcome of interest."""
    return {
        state.SAMPLE: LinkChoice(state.SAMPLE, one_of(sample_names)),
        state.OUTCOME: LinkChoice(state.OUTCOME, whole()),
    }


def go_to(name: str) -> None:
    """Open another page; a page that runs alone, without the app around it, has no other."""
    try:
        st.switch_page(f"pages/{name}.py")
    except StreamlitAPIException:
        return


EVERYWHERE = """
**Your table** stays on this server; *Other table* on the Data page deletes it. This is the
address of what you see:
"""


@dataclass(frozen=True)
class Page:
    """One page.

    Attributes
    ----------
    name : its file in ``pages/``, and the last part of its address
    title : what the menu says
    help : what is on it, how to read it, what to do next
    choices : lists what its link holds, by name
    table : returns the table its link names; None where the page shows none
    link_note : a further sentence beside the link
    """

    name: str
    title: str
    help: str
    choices: Callable[[], Mapping[str, LinkChoice]]
    table: Callable[[], ChosenTable | None] = current_source
    link_note: str = ""

    @property
    def script(self) -> str:
        """The file that composes it."""
        return f"pages/{self.name}.py"

    @property
    def full_help(self) -> str:
        """What its Help says."""
        return self.help + EVERYWHERE


Choices = Mapping[str, LinkChoice]
"""Choices by the name that links give them."""


def all_choices(pages: Iterable[Page]) -> Choices:
    """List what the links of several pages hold."""
    return {name: choice for page in pages for name, choice in page.choices().items()}


def write_choices(values: Mapping[Any, Any], known: Choices) -> dict[str, str]:
    """Write all choices that differ from the usual, as links do."""
    found = {name: values.get(choice.key) for name, choice in known.items()}
    return {
        name: known[name].write(value)
        for name, value in found.items()
        if value is not None and value != known[name].usual
    }


def read_choices(written: Mapping[str, str], known: Choices) -> tuple[dict[str, Any], list[str]]:
    """Read what :func:`write_choices` writes, by key; name what makes no sense."""
    found, wrong = {}, []
    for name, text in written.items():
        try:
            found[known[name].key] = known[name].read(text)
        except (KeyError, ValueError, TypeError, AttributeError):
            wrong.append(name)
    return found, wrong
