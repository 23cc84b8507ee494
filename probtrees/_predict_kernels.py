"""Compiled descent of rows through trees and tables; the face is :mod:`probtrees.predict`."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

NOWHERE = -1
"""No child takes the row: its value is missing or was never met."""


@njit(cache=True, nogil=True)
def find_branch(branch, first, n_children, code):
    """Return the child whose branch has the code, or NOWHERE.

    Branches ascend and start at 0 or above, so the child stands at most ``code`` places
    after the first: there if all values are listed, before it otherwise.
    """
    low = 0
    high = n_children
    if code < high:
        if branch[first + code] == code:
            return first + code
        high = code
    while low < high:
        middle = (low + high) // 2
        if branch[first + middle] < code:
            low = middle + 1
        else:
            high = middle
    if low < n_children and branch[first + low] == code:
        return first + low
    return NOWHERE


@njit(cache=True, nogil=True)
def find_child(arrays, node, x, n_declared):
    """Return the child a value leads to, or NOWHERE.

    A numeric value goes left if it exceeds the threshold by less than 1e-6. A missing
    value goes to the branch after all others, if there is one.
    """
    first = arrays.first_child[node]
    n_children = arrays.n_children[node]
    threshold = arrays.threshold[node]
    if not math.isnan(threshold):
        if not math.isnan(x):
            return first if x - threshold < 1e-6 else first + 1
        return first + 2 if n_children > 2 else NOWHERE
    code = n_declared if math.isnan(x) else int(x)
    if code < 0:
        return NOWHERE
    return find_branch(arrays.branch, first, n_children, code)


@njit(cache=True, nogil=True)
def descend(arrays, values, n_values, stop, landed):
    """Write the node where every row ends; return how many rows have no single end.

    Where no child takes the row it ends at that node (``stop``) or is marked NOWHERE.
    """
    n_spread = 0
    for row in range(values.shape[0]):
        node = 0
        column = arrays.column[0]
        while column >= 0:
            x = values[row, column]
            threshold = arrays.threshold[node]
            if not (math.isnan(x) or math.isnan(threshold)):
                node = arrays.first_child[node] + (0 if x - threshold < 1e-6 else 1)
            else:
                child = find_child(arrays, node, x, n_values[column])
                if child == NOWHERE:
                    if not stop:
                        node = NOWHERE
                        n_spread += 1
                    break
                node = child
            column = arrays.column[node]
        landed[row] = node
    return n_spread


@njit(cache=True, nogil=True)
def _push_children(arrays, node, share, waiting, owed, top):
    """Put the children on the stack, each with its part of the share by weight."""
    first = arrays.first_child[node]
    n_children = arrays.n_children[node]
    total = 0.0
    for child in range(first, first + n_children):
        total += arrays.weight[child]
    for child in range(first + n_children - 1, first - 1, -1):
        part = arrays.weight[child] / total if total > 0 else 1.0 / n_children
        if part > 0:
            waiting[top] = child
            owed[top] = share * part
            top += 1
    return top


@njit(cache=True, nogil=True)
def spread(arrays, values, n_values, first, nodes, shares):
    """List every row's leaves and shares; with no room in ``nodes`` only count them.

    A row whose value leads nowhere goes to all children, in proportion to their weight.
    """
    waiting = np.empty(arrays.column.shape[0] + 1, dtype=np.int32)
    owed = np.empty(arrays.column.shape[0] + 1)
    count_only = nodes.shape[0] == 0
    end = 0
    for row in range(values.shape[0]):
        waiting[0] = 0
        owed[0] = 1.0
        top = 1
        while top > 0:
            top -= 1
            node = waiting[top]
            share = owed[top]
            column = arrays.column[node]
            if column < 0:
                if not count_only:
                    nodes[end] = node
                    shares[end] = share
                end += 1
                continue
            child = find_child(arrays, node, values[row, column], n_values[column])
            if child == NOWHERE:
                top = _push_children(arrays, node, share, waiting, owed, top)
            else:
                waiting[top] = child
                owed[top] = share
                top += 1
        first[row + 1] = end


@njit(cache=True, nogil=True)
def mix(first, nodes, shares, probs, rows, out):
    """Write the average of the nodes' vectors, by share, into the given rows."""
    for i in range(rows.shape[0]):
        for outcome in range(probs.shape[1]):
            total = 0.0
            for place in range(first[i], first[i + 1]):
                total += shares[place] * probs[nodes[place], outcome]
            out[rows[i], outcome] = total


BLOCK = 2048
"""Rows taken through all tables before the next ones, so that they stay in the cache."""

COLUMN, FIRST_CHILD, N_CHILDREN, BRANCH = 0, 1, 2, 3
"""The places of a node's facts in ``PackedTables.nodes``."""


@njit(cache=True, nogil=True)
def _read_codes(values, n_values, start, codes):
    """Write a block of rows as codes, missing values as the number of declared ones."""
    for i in range(codes.shape[0]):
        for column in range(codes.shape[1]):
            x = values[start + i, column]
            codes[i, column] = n_values[column] if math.isnan(x) else int(x)


@njit(cache=True, nogil=True)
def add_tables(tables, values, n_values, log_joint):
    """Add, for every row and class, the log probability of the row's value in each table.

    The class column is read as the class in question, not from the row. Where a value
    leads nowhere the deepest context met answers. A value that is not an outcome of the
    table says nothing about the class and adds nothing.
    """
    n_rows, n_columns = values.shape
    nodes, logs = tables.nodes, tables.logs
    buffer = np.empty((min(BLOCK, n_rows), n_columns), dtype=np.int32)
    for start in range(0, n_rows, BLOCK):
        codes = buffer[: min(BLOCK, n_rows - start)]
        _read_codes(values, n_values, start, codes)
        for k in range(log_joint.shape[1]):
            codes[:, n_columns - 1] = k
            for table in range(tables.root.shape[0]):
                root = tables.root[table]
                target = tables.target[table]
                n_outcomes = tables.n_outcomes[table]
                log_start = tables.log_start[table]
                for i in range(codes.shape[0]):
                    outcome = codes[i, target]
                    if outcome < 0 or outcome >= n_outcomes:
                        continue
                    node = root
                    column = nodes[node, COLUMN]
                    while column >= 0:
                        code = codes[i, column]
                        child = nodes[node, FIRST_CHILD] + code
                        n_children = nodes[node, N_CHILDREN]
                        if code < 0:
                            break
                        if code >= n_children or nodes[child, BRANCH] != code:
                            child = find_branch(nodes[:, BRANCH], child - code, n_children, code)
                            if child == NOWHERE:
                                break
                        node = child
                        column = nodes[node, COLUMN]
                    place = log_start + (node - root) * n_outcomes + outcome
                    log_joint[start + i, k] += logs[place]
