"""The Data page: its help, and what its link holds."""

from __future__ import annotations

from probtrees.ui.shared.draft import current_draft, keep_reading
from probtrees.ui.shared.page import Page
from probtrees.ui.shared.table_source import table_choices

_HELP = """
**What you see.** The table as it will be read: what each column holds, what it is used for, what
is missing, and what you should know before believing anything grown from it.

**What to do.** Give a file (Excel, CSV and what the question mark beside it lists), paste cells
copied from a spreadsheet, or pick a sample. Set roles:
*target* is predicted, *feature* predicted from, *ignore* left out, *weight* counts a row several
times, *group* keeps rows of one patient or customer together when folds are cut, *time* trains on
the past only. Warnings come with a button that settles them. *Grow the tree* builds the other
pages from it. Where the server shares a folder (`probtrees app --allow-paths DIR`), *Large data on
this server* learns from files that are too large to upload.
"""

DATA = Page(
    "data",
    "Data",
    _HELP,
    table_choices,
    table=current_draft,
    use_reading=keep_reading,
)
