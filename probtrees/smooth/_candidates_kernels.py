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
            scale = 1.0 / (totals[node] + weight * depth[node] + uniform)
            for k in range(n_outcomes):
                lent = weight * above[node, k] + uniform / n_outcomes
                probs[node, k] = (counts[node, k] + lent) * scale
        elif node > 0:
            probs[node] = probs[parent[node]]
        else:
            probs[0] = 1.0 / n_outcomes


@njit(cache=True, nogil=True)
def fill_backed_off(parent, counts, totals, strength, phi):
    """Shrink every node towards its parent with a fixed strength, from the root down."""
    n_outcomes = counts.shape[1]
    for k in range(n_outcomes):
        phi[0, k] = (counts[0, k] + 1.0 / n_outcomes) / (totals[0] + 1.0)
    for node in range(1, parent.shape[0]):
        up = parent[node]
        rows = totals[node] + strength
        for k in range(n_outcomes):
            if rows > 0:
                phi[node, k] = (counts[node, k] + strength * phi[up, k]) / rows
            else:
                phi[node, k] = phi[up, k]


@njit(cache=True, nogil=True)
def fill_shrinkage(parent, totals, phi, penalty, probs):
    """Take the steps from parent to child, each shortened the more the fewer rows decide."""
    probs[0] = phi[0]
    for node in range(1, parent.shape[0]):
        up = parent[node]
        step = totals[up] / (totals[up] + penalty) if totals[up] > 0 else 0.0
        for k in range(phi.shape[1]):
            probs[node, k] = probs[up, k] + (phi[node, k] - phi[up, k]) * step


@njit(cache=True, nogil=True)
def held_out_loss(held, probs, log_loss, mixed):
    """Add up the losses of held-out rows: Brier scores, or minus the log of the true one."""
    n_outcomes = probs.shape[1]
    total = 0.0
    for place in range(held.nodes.shape[0]):
        node = held.nodes[place]
        rows = 0.0
        squares = 0.0
        hits = 0.0
        for k in range(n_outcomes):
            p = probs[node, k]
            n = held.counts[place, k]
            rows += n
            if log_loss:
                if n > 0:
                    hits += n * math.log(max(p, TINY))
            else:
                squares += p * p
                hits += n * p
        total += -hits if log_loss else rows * squares - 2.0 * hits + rows
    for row in range(held.outcomes.shape[0]):
        mixed[:] = 0.0
        for place in range(held.first[row], held.first[row + 1]):
            node = held.spread_nodes[place]
            for k in range(n_outcomes):
                mixed[k] += held.shares[place] * probs[node, k]
        true = mixed[held.outcomes[row]]
        if log_loss:
            loss = -math.log(max(true, TINY))
        else:
            loss = 1.0 - 2.0 * true
            for k in range(n_outcomes):
                loss += mixed[k] * mixed[k]
        total += held.weights[row] * loss
    return total


@njit(cache=True, nogil=True)
def fill_candidate(arrays, totals, candidate, above, phi, probs):
    """Smooth with one candidate; ``above`` and ``phi`` have been prepared for it."""
    penalty, _, weight, uniform = candidate
    if math.isnan(weight):
        fill_shrinkage(arrays.parent, totals, phi, penalty, probs)
    else:
        fill_hgs(arrays.parent, arrays.depth, arrays.counts, totals, above, weight, uniform, probs)


@njit(cache=True, nogil=True)
def add_losses(arrays, totals, candidates, held, log_loss, losses):
    """Add every candidate's loss on the rows held out of one tree."""
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
        losses[number] += held_out_loss(held, probs, log_loss, mixed)


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
        if math.isnan(weight) and wanted != strength:
            strength = wanted
            fill_backed_off(arrays.parent, arrays.counts, totals, strength, phi)
        fill_candidate(arrays, totals, (penalty, wanted, weight, uniform), above, phi, probs)
        for node in range(shape[0]):
            for k in range(shape[1]):
                mixture[node, k] += shares[number] * probs[node, k]
