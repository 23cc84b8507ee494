"""Small negative numbers that say why there is no answer: -1 refused, -2 does not apply, -5, -8.

Panels and tests are handed on like this without labels. They are told from measures below 0 by
their rows, far more than any other number has, or by a gap where an answer would be.
"""

from __future__ import annotations

import numpy as np

from probtrees.types import FloatArray

_LOWEST, _MOST_CODES, _FEWEST_ROWS = -9.0, 6, 2
_MANY, _MORE_ROWS = 11, 2


def negative_codes(values: FloatArray) -> list[float]:
    """Return the numbers from -9 to -1 that seem to be codes; none unless all others are over 0.

    >>> negative_codes(np.array([-1.0, -2.0] * 20 + [500.0 + 37 * n for n in range(60)]))
    [-2.0, -1.0]
    >>> negative_codes(np.array([-8.0, -2.0, 1.0, 2.0, 3.0, 4.0, 5.0] * 9))
    [-8.0, -2.0]
    >>> negative_codes(np.array([-2.0, -1.0, 0.0, 1.0, 2.0, 3.0] * 9))
    []
    """
    numbers, n_rows = np.unique(values[~np.isnan(values)], return_counts=True)
    below, rows_below = numbers[numbers < 0], n_rows[numbers < 0]
    rest, rows_of_rest = numbers[numbers >= 0], n_rows[numbers >= 0]
    are_small = 0 < len(below) <= _MOST_CODES and below[0] >= _LOWEST and (below % 1 == 0).all()
    if not are_small or not len(rest) or rows_below.min() < _FEWEST_ROWS:
        return []
    if len(rest) > _MANY:
        usual = rows_of_rest[rest > 0]
        stand_out = rows_below.max() >= _MORE_ROWS * usual.max()
        found = stand_out and rows_below.min() >= _MORE_ROWS * np.median(usual)
    else:
        found = _lie_beside_answers(below, rest)
    return [float(code) for code in below] if found else []


def _lie_beside_answers(codes: FloatArray, answers: FloatArray) -> bool:
    """Whether answers are counted from 0 or 1 on, and codes lie apart from them.

    -2, -1, 1 and 2 may be a scale from bad to good, and goals more or less.
    """
    first, last = answers[0], answers[-1]
    are_counted = first in (0.0, 1.0) and last - first == len(answers) - 1 >= 2
    if not are_counted or first - codes[-1] <= 1:
        return False
    in_turn = codes[-1] == -1 and codes[-1] - codes[0] == len(codes) - 1
    return not in_turn or last >= 2 * -codes[0]
