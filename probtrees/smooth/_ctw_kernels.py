"""Compiled twin of :mod:`probtrees.smooth.ctw`."""

from __future__ import annotations

import math

from numba import njit


@njit(cache=True, nogil=True)
def fill_log_evidence(counts, totals, alpha, log_evidence):
    """Write the log probability of every node's rows if it were a leaf with a Dirichlet prior."""
    n_outcomes = counts.shape[1]
    whole = alpha * n_outcomes
    at_alpha, at_whole = math.lgamma(alpha), math.lgamma(whole)
    for node in range(counts.shape[0]):
        value = at_whole - math.lgamma(totals[node] + whole)
        for k in range(n_outcomes):
            if counts[node, k] > 0:  # the others add nothing
                value += math.lgamma(counts[node, k] + alpha) - at_alpha
        log_evidence[node] = value


@njit(cache=True, nogil=True)
def fill_stops(parent, n_children, log_evidence, split, power, weighted, stops):
    """Write, for every node, how likely it is that the tree should have stopped there.

    Given that it came that far. ``weighted`` becomes the log evidence of all prunings below.
    """
    log_stop, log_split = math.log(1.0 - split), math.log(split)
    for node in range(parent.shape[0]):
        weighted[node] = 0.0
    # Children come after their parents, so all of them have been added up when one is reached.
    for node in range(parent.shape[0] - 1, -1, -1):
        if n_children[node] == 0:
            weighted[node] = power * log_evidence[node]
            stops[node] = 1.0
        else:
            stop = log_stop + power * log_evidence[node]
            go_on = log_split + weighted[node]
            largest = max(stop, go_on)
            total = largest + math.log(math.exp(stop - largest) + math.exp(go_on - largest))
            stops[node] = math.exp(stop - total)
            weighted[node] = total
        if node > 0:
            weighted[parent[node]] += weighted[node]


@njit(cache=True, nogil=True)
def mix_prunings(parent, counts, totals, alpha, stops, reach, above, probs):
    """Average what every pruning would forecast for a row, from the root down.

    ``reach`` becomes the weight of the prunings that go as far as a node, ``above`` what those
    say that stop before it.
    """
    n_outcomes = counts.shape[1]
    whole = alpha * n_outcomes
    for node in range(parent.shape[0]):
        up = parent[node]
        if node == 0:
            reach[0] = 1.0
            for k in range(n_outcomes):
                above[0, k] = 0.0
        else:
            reach[node] = reach[up] * (1.0 - stops[up])
            for k in range(n_outcomes):
                own = (counts[up, k] + alpha) / (totals[up] + whole)
                above[node, k] = above[up, k] + reach[up] * stops[up] * own
        for k in range(n_outcomes):
            if totals[node] > 0 or node == 0:
                own = (counts[node, k] + alpha) / (totals[node] + whole)
                probs[node, k] = above[node, k] + reach[node] * own
            else:  # no rows, nothing to say: the answer of the parent
                probs[node, k] = probs[up, k]
