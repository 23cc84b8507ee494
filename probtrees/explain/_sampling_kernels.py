"""Compiled drawing of values; the face is :mod:`probtrees.explain.network_sampling`."""

from __future__ import annotations

from numba import njit


@njit(cache=True, nogil=True)
def draw_values(probs, contexts, fits, uniforms, weights, rows, column):
    """Draw a value of one column for every row, and weigh rows by how well they fit.

    Parameters
    ----------
    probs : float64[n_contexts, n_values], the table
    contexts : which of its rows each row has
    fits : how well each value fits what is known; empty: nothing is known of the column
    uniforms : a random number from 0 to 1 for every row
    weights : of the rows so far; multiplied by the share of the values that fits
    rows, column : where the codes are written to
    """
    n_values = probs.shape[1]
    known = fits.shape[0] > 0
    for row in range(contexts.shape[0]):
        context = contexts[row]
        total = 0.0
        for value in range(n_values):
            total += probs[context, value] * (fits[value] if known else 1.0)
        if known:
            weights[row] *= total
        place = uniforms[row] * total
        # Where nothing fits the weight is 0 and any value will do: it is the last.
        end = 0.0
        found = -1
        while end <= place and found < n_values - 1:
            found += 1
            end += probs[context, found] * (fits[found] if known else 1.0)
        rows[row, column] = found
