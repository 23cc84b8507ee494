"""Compiled counting of contexts and tables; the face is :mod:`.cpt`."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def _number_by_map(above, codes, n_codes, here, parent, branch, place):
    """Give numbers to the pairs (context above, code) that occur, through a map of all pairs."""
    place[:] = 0
    # First mark the pairs that occur, then number them in the order of the map: ascending by
    # context above, then by code, which is level order.
    for row in range(codes.shape[0]):
        place[above[row] * n_codes + codes[row]] = 1
    n_found = 0
    for cell in range(place.shape[0]):
        if place[cell] == 1:
            # The mark is not needed any more: its cell takes the number.
            place[cell] = n_found
            parent[n_found] = cell // n_codes
            branch[n_found] = cell % n_codes
            n_found += 1
    for row in range(codes.shape[0]):
        here[row] = place[above[row] * n_codes + codes[row]]
    return n_found


@njit(cache=True, nogil=True)
def _sort_rows(keys, n_keys, rows, ordered):
    """List rows by ascending key, rows of equal key in the order given (counting sort)."""
    start = np.zeros(n_keys + 1, dtype=np.int64)
    # Counted one key further on, so that the sums are where each key starts.
    for row in range(keys.shape[0]):
        start[keys[row] + 1] += 1
    for key in range(n_keys):
        start[key + 1] += start[key]
    # In the order given: this makes the sort stable, and two sorts one by two keys.
    for place in range(rows.shape[0]):
        key = keys[rows[place]]
        ordered[start[key]] = rows[place]
        start[key] += 1


@njit(cache=True, nogil=True)
def _number_by_sorting(above, n_above, codes, n_codes, here, parent, branch):
    """Give the same numbers by sorting rows twice by counting: memory knows no product."""
    n_rows = codes.shape[0]
    rows = np.empty(n_rows, dtype=np.int32)
    by_code = np.empty(n_rows, dtype=np.int32)
    for row in range(n_rows):
        rows[row] = row
    # The lesser key first.
    _sort_rows(codes, n_codes, rows, by_code)
    _sort_rows(above, n_above, by_code, rows)
    n_found = 0
    for place in range(n_rows):
        row = rows[place]
        # Rows of one pair now stand together: a change of either key is a new pair.
        if n_found == 0 or parent[n_found - 1] != above[row] or branch[n_found - 1] != codes[row]:
            parent[n_found] = above[row]
            branch[n_found] = codes[row]
            n_found += 1
        here[row] = n_found - 1
    return n_found


@njit(cache=True, nogil=True)
def number_level(above, n_above, codes, n_codes, here, parent, branch):
    """Give numbers to the contexts that one more column makes of the contexts above.

    Only pairs (context above, code) that some row has are numbered, those of one context
    side by side and in ascending code. Writes every row's number into ``here``, and for
    every number the context above and the code; returns how many there are. Linear in rows.
    """
    n_rows = codes.shape[0]
    # The map is quicker, but takes a cell for every pair that could occur.
    if n_above * n_codes <= 4 * n_rows + 1024:
        place = np.empty(n_above * n_codes, dtype=np.int32)
        return _number_by_map(above, codes, n_codes, here, parent, branch, place)
    return _number_by_sorting(above, n_above, codes, n_codes, here, parent, branch)


@njit(cache=True, nogil=True)
def number_path(table, path, here, first_node, parent, branch):
    """Give numbers to the contexts of a table, level by level, as the nodes of a tree.

    Level d splits on ``path[:d]``; its nodes are ``first_node[d]`` to ``first_node[d + 1]``.
    ``here`` receives the deepest node of every row, counted within its level.
    """
    n_rows = here.shape[0]
    above = np.empty(n_rows, dtype=np.int32)
    here[:] = 0
    first_node[0] = 0
    first_node[1] = 1
    # Level 0 is the root, which all rows share.
    parent[0] = -1
    branch[0] = 0
    for level in range(path.shape[0]):
        # A loop: copying whole arrays takes numba seconds to compile.
        for row in range(n_rows):
            above[row] = here[row]
        first = first_node[level + 1]
        n_above = first - first_node[level]
        column = path[level]
        n_found = number_level(
            above,
            n_above,
            table.codes[column],
            table.n_values[column],
            here,
            parent[first:],
            branch[first:],
        )
        # Contexts were numbered within their level; parents are nodes of the tree.
        for node in range(first, first + n_found):
            parent[node] += first_node[level]
        first_node[level + 2] = first + n_found


@njit(cache=True, nogil=True)
def fill_table(table, target, path, here, first_node, tree):
    """Fill the arrays of a table's tree whose parents and branches are known."""
    n_levels = path.shape[0]
    codes = table.codes[target]
    deepest = first_node[n_levels]
    for row in range(codes.shape[0]):
        # Rows are counted once, in the deepest context; the others follow from below.
        tree.counts[deepest + here[row], codes[row]] += table.weights[row]
    for level in range(n_levels + 1):
        for node in range(first_node[level], first_node[level + 1]):
            tree.depth[node] = level
            tree.column[node] = path[level] if level < n_levels else -1
    # Backwards, so the last one written as first child is the first.
    for node in range(tree.parent.shape[0] - 1, 0, -1):
        parent = tree.parent[node]
        tree.first_child[parent] = node
        tree.n_children[parent] += 1
        for outcome in range(tree.counts.shape[1]):
            tree.counts[parent, outcome] += tree.counts[node, outcome]
    for node in range(tree.parent.shape[0]):
        for outcome in range(tree.counts.shape[1]):
            tree.weight[node] += tree.counts[node, outcome]


@njit(cache=True, nogil=True)
def number_prefixes(table, target, path, contexts, cells, first_context, first_cell):
    """Give numbers, for every prefix of a path, to contexts and the target's values in them.

    ``contexts[d]`` receives every row's context by ``path[:d]``, ``cells[d]`` the number of
    that context joined with the row's value of the target. With levels laid end to end,
    the contexts of level d start at ``first_context[d]``, the cells at ``first_cell[d]``.
    """
    n_rows = contexts.shape[1]
    parent = np.empty(n_rows, dtype=np.int32)
    branch = np.empty(n_rows, dtype=np.int32)
    codes = table.codes[target]
    n_codes = table.n_values[target]
    # Every prefix is kept, not only the deepest: leaving a row out needs all levels at once.
    contexts[0] = 0
    n_contexts = 1
    first_context[0] = 0
    first_cell[0] = 0
    for level in range(path.shape[0] + 1):
        if level > 0:
            column = path[level - 1]
            n_contexts = number_level(
                contexts[level - 1],
                n_contexts,
                table.codes[column],
                table.n_values[column],
                contexts[level],
                parent,
                branch,
            )
        first_context[level + 1] = first_context[level] + n_contexts
        # A cell is one more level that splits on the target.
        n_cells = number_level(
            contexts[level], n_contexts, codes, n_codes, cells[level], parent, branch
        )
        first_cell[level + 1] = first_cell[level] + n_cells
