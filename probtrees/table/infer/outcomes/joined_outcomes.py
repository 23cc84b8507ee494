"""Outcomes of which one is made: first those that are spelt alike, then those somebody names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from probtrees.errors import did_you_mean
from probtrees.table.cells.arrow_arrays import codes, text_array
from probtrees.table.cells.raw_table import Texts
from probtrees.table.cells.spelled_numbers import spell
from probtrees.table.infer.text_habits import VARIANTS, listed
from probtrees.table.read_options import ReadOptions
from probtrees.table.spelling import Spelling, named_together
from probtrees.table.table_report import Finding, Fix


@dataclass(frozen=True)
class Outcomes:
    """The outcomes of a target, once their spellings are one where that is wanted.

    Attributes
    ----------
    texts : the column, of which every distinct text is an outcome
    meant : by text of the file, the outcome that it is
    spelling : how its cells are written, as a model remembers it
    """

    texts: Texts
    meant: Mapping[str, str]
    spelling: Spelling


def spelt_alike(name: str, column: Texts, options: ReadOptions, spelling: Spelling) -> Outcomes:
    """Let spellings of a target be one outcome: of a number, as said, and of rare values."""
    texts, meant = column, {text: text for text in column.texts}
    if not column.declared:
        texts, numbers = _one_spelling(column)
        meant = {text: numbers.get(text, text) for text in meant}
    if name in options.join_values:
        alike = texts.spelt_alike()
        texts, others = texts.joined()
        meant = {text: alike[to] for text, to in meant.items()}
        spelling = spelling.join(others)
    if name in options.group_values:
        texts, rest = texts.grouped()
        kept = set(texts.texts)
        meant = {text: to if to in kept else rest for text, to in meant.items()}
        spelling = replace(spelling, rest=rest)
    return Outcomes(texts, meant, spelling)


def joined_outcomes(
    name: str, found: Outcomes, together: Sequence[str]
) -> tuple[Outcomes, Finding]:
    """Make two outcomes: those that somebody wants to be one, and all others.

    Whatever is spelt like one of these is one of them. An outcome that is the only other one keeps
    its name; then nothing says what a value is that training has not seen.

    Returns
    -------
    the outcomes, as they are where one is not there, and what is said about them
    """
    back = Fix("Take it back", "take back", "join_outcomes all")
    known = {text: text for text in found.texts.texts} | dict(found.meant)
    absent = [text for text in together if text not in known]
    if absent:
        rule = f"must have the outcome {absent[0]!r}, which is to be joined with others."
        advice = did_you_mean(absent[0], tuple(known))
        wrong = Finding(name, "outcomes", f"target={name!r} {rule}", advice, "error", (back,))
        return found, wrong
    joined = named_together(together)
    wanted = {known[text] for text in (*together, joined) if text in known}
    there = {t for t, n in zip(found.texts.texts, found.texts.rows_of.tolist(), strict=True) if n}
    others = sorted(there - wanted)
    is_one = len(others) == 1
    taken = {joined, *(word for word, to in known.items() if to in wanted)}
    rest = others[0] if is_one else "other" if "other" not in taken else "(all others)"
    class_of = {text: joined if text in wanted else rest for text in found.texts.texts}
    of_words = {w: class_of[to] for w, to in known.items() if not is_one or to in there | wanted}
    # A model keeps so many words only: those that were named go first.
    first = sorted(of_words, key=lambda word: (of_words[word] != joined, word))
    spelling = replace(
        found.spelling.mean({word: of_words[word] for word in first}),
        together=tuple(together),
        rest=class_of.get(found.spelling.rest, "" if is_one else rest),
        empty=class_of.get(found.spelling.empty, ""),
    )
    against = f"against {rest!r}" if is_one else f"all others {rest!r}"
    said = f"Of column {name!r} {listed([repr(t) for t in together])} are one outcome, {against}."
    return (
        Outcomes(found.texts.respelled(class_of), of_words, spelling),
        Finding(name, "said", said, fixes=(back,)),
    )


def once_joined(
    counts: Sequence[tuple[str, int]], classes: Texts | None, findings: Iterable[Finding]
) -> dict[str, int]:
    """Count outcomes as one whose spellings are asked about.

    What is said of SI, si and Sì one by one would be void with the answer.
    """
    asked = any(found.kind == VARIANTS for found in findings)
    meant = classes.spelt_alike() if asked and classes is not None else {}
    joined: dict[str, int] = {}
    for text, n_rows in counts:
        joined[meant.get(text, text)] = joined.get(meant.get(text, text), 0) + n_rows
    return joined


def _one_spelling(column: Texts) -> tuple[Texts, dict[str, str]]:
    """Let numbers spelled in several ways (1, 1.0) be one class; return also how each is spelt."""
    numbers = column.numbers.values
    if np.isnan(numbers).any() or len(np.unique(numbers)) == len(numbers):
        return column, {}
    spelt = [spell(number) for number in numbers.tolist()]
    short = text_array(spelt).dictionary_encode()
    recoded = np.append(codes(short.indices), np.int32(-1))[column.codes]
    return Texts(recoded, short.dictionary), dict(zip(column.texts, spelt, strict=True))
