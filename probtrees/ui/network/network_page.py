"""The Network page: its help, what can be chosen on it, and what its link holds."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from probtrees.experiment.registry import DEFAULT_DISCRETIZER, DISCRETIZERS, LEARNERS
from probtrees.grow.edits import edits_text
from probtrees.ui.network.findings import CASES, KNOWN, read_findings, write_findings
from probtrees.ui.shared.page import LinkChoice, Page, one_of, table_choices, typed_choice, whole
from probtrees.ui.shared.smoother_options import smoothing_choices
from probtrees.ui.shared.workbench import growing_choices

_FIRST = ("skdb", "kdb", "tan", "nb")
N_USUAL = len(_FIRST)
"""How many networks are offered at once; the others stand behind *More*."""

LEARNER = "network.learner"
DISCRETIZER = "network.discretize"
MEMBER = "network.member"
COLUMN = "network.column"
VALUE = "network.value"
"""The value of interest of the attribute whose table is on show."""
NODE = "network.node"
"""The node of that table which is explained."""
ARC = "network.arc"
"""The arrow that was clicked last, from and to; no link holds it."""
ROW = "network.row"
TYPED = "network.typed"
"""Cells of the followed row that were changed, by the number of the column."""
AGAINST = "network.against"
"""The kind of network whose arrows are held against those on show."""
AS_LEARNT = "learnt"
"""The network on show as it was learnt, before it was corrected."""
SIDE = "network.side"
"""What stands beside the picture."""
SIDES = ("Table", "Ask", "Structure")
TAB = "network.tab"
TABS = ("The table as a tree", "Follow a row")
"""What stands below the picture of a network."""

VIEW_OF_ONE_TABLE = (MEMBER, COLUMN, VALUE, NODE, ROW, TYPED, ARC)
"""Choices that make sense only for the table they were made on."""


_HELP = """
**What you see.** Every column has a table of its chances, given those that arrows come from. Click
a box or an arrow for it; drag moves the picture, Ctrl and wheel zoom it.

**Ask it.** Under *Ask* click what is known: bars move to what follows, a mark stays where each was;
grey boxes tell nothing more. *Not recorded* is a value of its own.

**How sure.** *Structure* lists the arrows that could have been otherwise, the least sure first.
There you correct them, too: drag from box to box, or click an arrow.

**Take it away.** *Export* has report, picture, tables, model, and files for other programs.
"""


def networks() -> list[str]:
    """List the networks that are offered, the usual ones first."""
    offered = [name for name, entry in LEARNERS.items() if entry.is_network and entry.on_page]
    return sorted(offered, key=(*_FIRST, *offered).index)


def _choices() -> dict[str, LinkChoice]:
    """List what the link holds."""
    choices = table_choices() | growing_choices() | smoothing_choices()
    read_cases: Any = lambda text: tuple(map(read_findings, text.splitlines()))  # noqa: E731
    write_cases: Any = lambda cases: "\n".join(map(write_findings, cases))  # noqa: E731
    choices |= {
        LEARNER: LinkChoice(LEARNER, one_of(networks), usual=networks()[0]),
        MEMBER: LinkChoice(MEMBER, whole(1), usual=1),
        ROW: LinkChoice(ROW, whole(1), usual=1),
        TYPED: typed_choice(TYPED),
        KNOWN: LinkChoice(KNOWN, read_findings, write_findings, usual={}, of_sample=True),
        CASES: LinkChoice(CASES, read_cases, write_cases, usual=(), of_sample=True),
        TAB: LinkChoice(TAB, one_of(lambda: TABS), usual=TABS[0]),
        SIDE: LinkChoice(SIDE, one_of(lambda: SIDES), usual=SIDES[0]),
        AGAINST: LinkChoice(AGAINST, one_of(lambda: [*networks(), AS_LEARNT])),
    }
    for key in (COLUMN, VALUE, NODE):
        choices[key] = LinkChoice(key, whole())
    return choices | network_option_choices()


def network_option_choices() -> dict[str, LinkChoice]:
    """List how networks are learnt and numbers are cut, for links of pages that do so."""
    learners = {f"network.{name}": LEARNERS[name].options for name in networks()}
    cutting = {f"{DISCRETIZER}.{name}": entry.options for name, entry in DISCRETIZERS.items()}
    choices = {
        f"{of}.{field.name}": LinkChoice(f"{of}.{field.name}", field.parse, usual=field.default)
        for of, fields in {**learners, **cutting}.items()
        for field in fields
        if of in learners or field.name != "seed"
    }
    for name in [name for name in networks() if edits_key(name) in choices]:
        write = partial(edits_text, short=True)
        given = replace(choices[edits_key(name)], write=write, of_sample=True)
        choices[edits_key(name)] = given
    method = one_of(lambda: DISCRETIZERS)
    return {DISCRETIZER: LinkChoice(DISCRETIZER, method, usual=DEFAULT_DISCRETIZER), **choices}


def edits_key(learner: str) -> str:
    """Name where the session keeps corrections of a network: beside its other options."""
    return f"network.{learner}.edits"


NETWORK = Page("network", "Network", _HELP, _choices)
