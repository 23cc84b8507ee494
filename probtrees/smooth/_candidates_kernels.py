"""Compiled twin of :mod:`probtrees.smooth.candidates`."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

TINY = 1e-300


@njit(cache=True, nogil=True)
def add_frequencies_above(parent, counts, totals, above):
    """Write, for every node, the sum of its ancestors' frequencies."""
    above[0] = 0.0
    # Parents come before children, so one forward pass carries the sums down.
    for node in range(1, parent.shape[0]):
        up = parent[node]
        for k in range(counts.shape[1]):
            above[node, k] = above[up, k]
            if totals[up] > 0:
                above[node, k] += counts[up, k] / totals[up]


@njit(cache=True, nogil=True)
def fill_hgs(parent, depth, counts, totals, above, weight, uniform, probs):
    """Give every node its own rows plus ``weight`` rows from every ancestor."""
    n_outcomes = counts.shape[1]
    for node in range(parent.shape[0]):
        if totals[node] > 0:
            # A node of depth d has d ancestors of one weight each: the sum of weights is a product.
            scale = 1.0 / (totals[node] + weight * depth[node] + uniform)
            for k in range(n_outcomes):
                lent = weight * above[node, k] + uniform / n_outcomes
                probs[node, k] = (counts[node, k] + lent) * scale
        else:
            # No rows, nothing to say: the answer of the parent, which is already written.
            for k in range(n_outcomes):
                probs[node, k] = probs[parent[node], k] if node > 0 else 1.0 / n_outcomes


@njit(cache=True, nogil=True)
def fill_backed_off(parent, counts, totals, strength, phi):
    """Shrink every node towards its parent with a fixed strength, from the root down."""
    n_outcomes = counts.shape[1]
    # The root has one imagined row, spread evenly, so no outcome starts from 0.
    for k in range(n_outcomes):
        phi[0, k] = (counts[0, k] + 1.0 / n_outcomes) / (totals[0] + 1.0)
    for node in range(1, parent.shape[0]):
        up = parent[node]
        rows = totals[node] + strength
        for k in range(n_outcomes):
            # A strength of 0 and no rows: 0 / 0.
            if rows > 0:
                phi[node, k] = (counts[node, k] + strength * phi[up, k]) / rows
            else:
                phi[node, k] = phi[up, k]


@njit(cache=True, nogil=True)
def fill_shrinkage(parent, totals, phi, penalty, probs):
    """Take the steps from parent to child, each shortened the more the fewer rows decide."""
    for k in range(phi.shape[1]):
        probs[0, k] = phi[0, k]
    for node in range(1, parent.shape[0]):
        up = parent[node]
        # 1 / (1 + penalty / N_parent), Agarwal et al. (2022), eq. 3, written so that an empty
        # parent is no division by 0.
        step = totals[up] / (totals[up] + penalty) if totals[up] > 0 else 0.0
        for k in range(phi.shape[1]):
            probs[node, k] = probs[up, k] + (phi[node, k] - phi[up, k]) * step


@njit(cache=True, nogil=True)
def fill_candidate(arrays, totals, candidate, above, phi, probs):
    """Smooth with one candidate; ``above`` and ``phi`` have been prepared for it."""
    penalty, _, weight, uniform = candidate
    # A row of candidates is one of two families; NaN marks the other one's fields.
    if math.isnan(weight):
        fill_shrinkage(arrays.parent, totals, phi, penalty, probs)
    else:
        fill_hgs(arrays.parent, arrays.depth, arrays.counts, totals, above, weight, uniform, probs)


@njit(cache=True, nogil=True)
def mix_candidates(arrays, totals, candidates, shares, mixture):
    """Average the candidates' probabilities by share."""
    shape = arrays.counts.shape
    above, phi, probs = np.empty(shape), np.empty(shape), np.empty(shape)
    add_frequencies_above(arrays.parent, arrays.counts, totals, above)
    strength = math.nan
    mixture[:] = 0.0
    for number in range(candidates.shape[0]):
        if shares[number] == 0.0:
            continue
        penalty, wanted, weight, uniform = candidates[number]
        # Candidates of one strength stand together: phi is prepared once for all of them.
        if math.isnan(weight) and wanted != strength:
            strength = wanted
            fill_backed_off(arrays.parent, arrays.counts, totals, strength, phi)
        fill_candidate(arrays, totals, (penalty, wanted, weight, uniform), above, phi, probs)
        for node in range(shape[0]):
            for k in range(shape[1]):
                mixture[node, k] += shares[number] * probs[node, k]


@njit(cache=True, nogil=True)
def loss_of_whole_rows(held, place, probs, log_loss):
    """Add up the losses of the rows that landed whole in one node; they count by outcome."""
    rows = squares = hits = logs = 0.0
    for k in range(probs.shape[0]):
        n = held.counts[place, k]
        rows += n
        squares += probs[k] * probs[k]
        hits += n * probs[k]
        if log_loss and n > 0:
            logs -= n * math.log(max(probs[k], TINY))
    # Over the rows, sum of (1[y=k] - p_k)^2 = rows (1 + p.p) - 2 c.p.
    return logs if log_loss else rows * (1.0 + squares) - 2.0 * hits


@njit(cache=True, nogil=True)
def loss_of_spread_rows(held, probs, log_loss, mixed):
    """Add up the losses of rows that are spread over nodes, by their averaged vectors."""
    total = 0.0
    for row in range(held.outcomes.shape[0]):
        mixed[:] = 0.0
        # A row in several leaves is judged by its averaged vector, not by averaged losses.
        for place in range(held.first[row], held.first[row + 1]):
            for k in range(mixed.shape[0]):
                mixed[k] += held.shares[place] * probs[held.spread_nodes[place], k]
        true = mixed[held.outcomes[row]]
        if log_loss:
            loss = -math.log(max(true, TINY))
        else:
            loss = 1.0 - 2.0 * true
            for k in range(mixed.shape[0]):
                loss += mixed[k] * mixed[k]
        total += held.weights[row] * loss
    return total


@njit(cache=True, nogil=True)
def add_losses(arrays, totals, candidates, held, log_loss, losses):
    """Add every candidate's loss on held-out rows."""
    shape = arrays.counts.shape
    above, phi, probs = np.empty(shape), np.empty(shape), np.empty(shape)
    mixed = np.empty(shape[1])
    add_frequencies_above(arrays.parent, arrays.counts, totals, above)
    strength = math.nan
    for number in range(candidates.shape[0]):
        penalty, wanted, weight, uniform = candidates[number]
        if math.isnan(weight) and wanted != strength:
            strength = wanted
            fill_backed_off(arrays.parent, arrays.counts, totals, strength, phi)
        fill_candidate(arrays, totals, (penalty, wanted, weight, uniform), above, phi, probs)
        # Summed, not averaged: the blend's softmax needs the evidence of all rows.
        losses[number] += loss_of_spread_rows(held, probs, log_loss, mixed)
        for place in range(held.nodes.shape[0]):
            own = probs[held.nodes[place]]
            losses[number] += loss_of_whole_rows(held, place, own, log_loss)
