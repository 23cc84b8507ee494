"""Codes and their labels, as files of SPSS, Stata and SAS declare them: 1 is "male".

Such a file is read by its labels; the same table as CSV has the codes. A model keeps both, so that
either can be asked about, and a file of labels can be read by a model that knows the codes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np

from probtrees.table.cells.same_words import folded
from probtrees.types import FloatArray

ValueLabels = tuple[tuple[str, str], ...]
"""Pairs of a code, as it is written in a text, and its label."""


def labels_of_codes(
    texts: Iterable[str], known: Collection[str], labels: ValueLabels
) -> dict[str, str]:
    """Return the label of every text that is a code and no known category itself.

    Nothing where a label is a number: then a number may be either.

    >>> labels_of_codes(["1", "2.0", "9", "male"], ["male", "female"], (("1", "male"), ("2", "f")))
    {'1': 'male', '2.0': 'f'}
    """
    if any(number_of(label) is not None for _, label in labels):
        return {}
    by_text = dict(labels)
    by_number = {number_of(code): label for code, label in labels}
    by_number.pop(None, None)
    meant = {text: by_text.get(text.strip(), by_number.get(number_of(text), "")) for text in texts}
    return {text: label for text, label in meant.items() if label and text not in known}


def codes_of_labels(texts: Collection[str], labels: ValueLabels) -> dict[str, str]:
    """Return the code of every text; nothing unless each is a label of one code.

    Nor where a label is a number.

    >>> codes_of_labels(["female", "male"], (("1", "male"), ("2", "female")))
    {'female': '2', 'male': '1'}
    >>> codes_of_labels(["male", "unknown"], (("1", "male"), ("2", "female")))
    {}
    """
    by_label: dict[str, list[str]] = {}
    for code, label in labels:
        by_label.setdefault(label, []).append(code)
    has_numbers = any(number_of(label) is not None for label in by_label)
    if has_numbers or not all(len(by_label.get(text, ())) == 1 for text in texts):
        return {}
    return {text: by_label[text][0] for text in texts}


def codes_among(texts: Iterable[str], labels: ValueLabels) -> dict[str, str]:
    """Return the code of every text that is the label of one code; others stay as they are.

    So it is with numbers of which only some have labels, as those at the ends of a scale.

    >>> codes_among(["Very good", "4", "so so"], (("1", "very bad"), ("5", "very good")))
    {'Very good': '5'}
    """
    by_label: dict[str, list[str]] = {}
    for code, label in labels:
        if number_of(label) is None and number_of(code) is not None:
            by_label.setdefault(folded(label), []).append(code)
    meant = {text: by_label.get(folded(text), ()) for text in texts} if by_label else {}
    return {text: codes[0] for text, codes in meant.items() if len(codes) == 1}


def with_zeros(values: FloatArray, codes: Collection[str]) -> FloatArray:
    """Let numbers that are codes for none be 0.

    >>> with_zeros(np.array([40.0, 996.0]), ("996", "does not work")).tolist()
    [40.0, 0.0]
    """
    numbers = [number for code in codes if (number := number_of(code)) is not None]
    return np.where(np.isin(values, numbers), 0.0, values)


def number_of(text: str) -> float | None:
    """Return the number that a text is, with a point or a comma; None where it is none."""
    try:
        return float(text.strip().replace(",", "."))
    except ValueError:
        return None
