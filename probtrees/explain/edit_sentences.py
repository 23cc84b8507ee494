"""What became of an expert's corrections, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def edit_sentences(diagnostics: Mapping[str, Any]) -> list[str]:
    """Say of every correction of a tree whether it was followed, also by the inner trees.

    Parameters
    ----------
    diagnostics : what the learner noted; without corrections there is nothing to say

    Examples
    --------
    >>> note = {"words": "All rows: split on age at 15", "on": True, "why": None}
    >>> edit_sentences({"edits": [{**note, "inner_trees": 5, "followed": 4}]})
    ['All rows: split on age at 15. Followed by 4 of 5 trees grown without a part of the rows.']
    """
    return [_sentence(note) for note in diagnostics.get("edits", ())]


def _sentence(note: Mapping[str, Any]) -> str:
    said = str(note["words"])
    if not note["on"]:
        return f"{said}: switched off."
    if note["why"] is not None:
        return f"{said}: left out, since {note['why']}."
    if "followed" not in note:
        return f"{said}."
    return (
        f"{said}. Followed by {note['followed']} of {note['inner_trees']} trees grown without a "
        "part of the rows."
    )
