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
def log_loss_of_whole_rows(held, probs):
    """Add up minus the log of the true outcome's probability."""
    total = 0.0
    for place in range(held.nodes.shape[0]):
        # Rows of one node and outcome count as one term.
        for k in range(probs.shape[1]):
            if held.counts[place, k] > 0:
                total -= held.counts[place, k] * math.log(max(probs[held.nodes[place], k], TINY))
    return total


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
def add_losses_node_by_node(arrays, totals, candidates, held, log_loss, losses):
    """Add every candidate's loss on spread rows, and under the log loss on all rows."""
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
        if log_loss:
            losses[number] += log_loss_of_whole_rows(held, probs)


@njit(cache=True, nogil=True)
def add_hgs_briers(arrays, totals, candidates, held, losses):
    """Add the Brier scores of whole rows under every weight of hierarchical smoothing.

    p = (a + w s) / D(w) with a, s fixed, so the sums over outcomes that the score needs
    (a.a, a.s, s.s, c.a, c.s with c = the held-out counts) serve all weights at once.
    """
    shape = arrays.counts.shape
    above = np.empty(shape)
    add_frequencies_above(arrays.parent, arrays.counts, totals, above)
    for place in range(held.nodes.shape[0]):
        node = held.nodes[place]
        # fill_hgs lets an empty node answer with its nearest ancestor that has rows.
        while node > 0 and totals[node] == 0:
            node = arrays.parent[node]
        rows = held.counts[place].sum()
        for number in range(candidates.shape[0]):
            weight, uniform = candidates[number, 2], candidates[number, 3]
            if math.isnan(weight):
                continue
            # The inner products depend on the uniform alone: made again only where it changes.
            if number == 0 or uniform != candidates[number - 1, 3]:
                aa = sa = ss = ca = cs = 0.0
                for k in range(shape[1]):
                    a = arrays.counts[node, k] + uniform / shape[1]
                    s = above[node, k]
                    aa += a * a
                    sa += a * s
                    ss += s * s
                    ca += held.counts[place, k] * a
                    cs += held.counts[place, k] * s
            scale = totals[node] + weight * arrays.depth[node] + uniform
            # Over the rows, sum of (1[y=k] - p_k)^2 = rows (1 + p.p) - 2 c.p.
            if scale > 0:
                squares = (aa + 2.0 * weight * sa + weight * weight * ss) / (scale * scale)
                hits = (ca + weight * cs) / scale
                losses[number] += rows * (1.0 + squares) - 2.0 * hits
            else:
                losses[number] += rows * (1.0 - 1.0 / shape[1])


@njit(cache=True, nogil=True)
def add_shrinkage_briers(arrays, totals, candidates, held, losses):
    """Add the Brier scores of whole rows under every setting of hierarchical shrinkage.

    Only nodes above held-out rows are smoothed; a node's score is added as it is made.
    """
    parent = arrays.parent
    n_nodes, n_outcomes = arrays.counts.shape
    place_of = np.full(n_nodes, -1, dtype=np.int32)
    needed = np.zeros(n_nodes, dtype=np.bool_)
    for place in range(held.nodes.shape[0]):
        place_of[held.nodes[place]] = place
    # Upwards: a node is needed if a held-out row ends there or below.
    for node in range(n_nodes - 1, -1, -1):
        needed[node] = needed[node] or place_of[node] >= 0
        if node > 0 and needed[node]:
            needed[parent[node]] = True
    visited = np.empty(n_nodes, dtype=np.int32)
    n_visited = 0
    for node in range(n_nodes):
        if needed[node]:
            visited[n_visited] = node
            n_visited += 1
    rows = np.zeros(held.nodes.shape[0])
    for place in range(rows.shape[0]):
        for k in range(n_outcomes):
            rows[place] += held.counts[place, k]
    phi, probs = np.empty((n_nodes, n_outcomes)), np.empty((n_nodes, n_outcomes))
    step = np.empty((n_nodes, n_outcomes))
    strength = math.nan
    for number in range(candidates.shape[0]):
        penalty, wanted, weight = (
            candidates[number, 0],
            candidates[number, 1],
            candidates[number, 2],
        )
        if not math.isnan(weight):
            continue
        # The steps phi_child - phi_parent depend on the strength alone.
        if wanted != strength:
            strength = wanted
            fill_backed_off(parent, arrays.counts, totals, strength, phi)
            for node in range(1, n_nodes):
                for k in range(n_outcomes):
                    step[node, k] = phi[node, k] - phi[parent[node], k]
        # Still in level order, so a parent's probabilities are there.
        for turn in range(n_visited):
            node = visited[turn]
            squares = 0.0
            if node == 0:
                for k in range(n_outcomes):
                    probs[0, k] = phi[0, k]
            else:
                up = parent[node]
                kept = totals[up] / (totals[up] + penalty) if totals[up] > 0 else 0.0
                for k in range(n_outcomes):
                    probs[node, k] = probs[up, k] + step[node, k] * kept
            place = place_of[node]
            if place >= 0:
                hits = 0.0
                for k in range(n_outcomes):
                    squares += probs[node, k] * probs[node, k]
                    hits += held.counts[place, k] * probs[node, k]
                losses[number] += rows[place] * (1.0 + squares) - 2.0 * hits
