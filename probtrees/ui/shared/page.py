"""A page of the app, declared once: its name, title and help, and what its link holds.

Each page's folder declares its page; :mod:`probtrees.ui.pages` lists them. Navigation, help,
links and the server read that list.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import streamlit as st
from streamlit.errors import StreamlitAPIException

from probtrees.table.read_options import ReadOptions
from probtrees.ui.shared.link_choices import LinkChoice
from probtrees.ui.shared.table_source import ChosenTable, current_source, use_reading


def go_to(name: str) -> None:
    """Open another page; a page that runs alone, without the app around it, has no other."""
    try:
        st.switch_page(f"pages/{name}.py")
    except StreamlitAPIException:
        return


EVERYWHERE = """
**Everywhere.** *Change data* takes another sample or a file of your own; it stays on this
server and is sent nowhere; where only your own computer is served it is kept for a day, and
*Forget this table* on the Data page deletes it. *Link* gives the address of what you see. The
question marks explain single controls.
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
    use_reading : takes over how a link reads the columns
    link_note : a further sentence beside the link
    """

    name: str
    title: str
    help: str
    choices: Callable[[], Mapping[str, LinkChoice]]
    table: Callable[[], ChosenTable | None] = current_source
    use_reading: Callable[[ReadOptions], None] = use_reading
    link_note: str = ""

    @property
    def script(self) -> str:
        """The file that composes it."""
        return f"pages/{self.name}.py"

    @property
    def full_help(self) -> str:
        """What its Help says."""
        return self.help + EVERYWHERE
