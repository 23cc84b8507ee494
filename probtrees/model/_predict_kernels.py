"""Compiled descent of rows through trees and tables, and shapes of numeric columns.

The faces are :mod:`probtrees.model.predict` and :mod:`probtrees.model.column_shape`.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

NOWHERE = -1
"""No child takes the row: its value is missing or was never met."""


@njit(cache=True, nogil=True, inline="always")
def find_branch(branch, first, n_children, code):
    """Return the child whose branch has the code, or NOWHERE.

    Branches ascend and start at 0 or above, so the child stands at most ``code`` places
    after the first: there if all values are listed, before it otherwise.
    """
    low = 0
    high = n_children
    # In a tree all values have a branch, so the first look finds it. A table lists only the values
    # met: then the child stands further left, if at all.
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


@njit(cache=True, nogil=True, inline="always")
def find_child(branch, first, n_children, threshold, x, n_declared):
    """Return the child a value leads to, or NOWHERE.

    A numeric value goes left if it exceeds the threshold by less than 1e-6. A missing
    value goes to the branch after all others, if there is one.
    """
    if not math.isnan(threshold):
        if not math.isnan(x):
            # The rule of growing, to the last digit, or rows near a cut would change sides.
            return first if x - threshold < 1e-6 else first + 1
        return first + 2 if n_children > 2 else NOWHERE
    # One behind the declared values is the code of "not recorded".
    code = n_declared if math.isnan(x) else int(x)
    if code < 0:
        return NOWHERE
    return find_branch(branch, first, n_children, code)


@njit(cache=True, nogil=True)
def descend(arrays, values, n_values, stop, landed):
    """Write the node where every row ends; return how many rows have no single end.

    Where no child takes the row it ends at that node (``stop``) or is marked NOWHERE.
    """
    split_column, thresholds, branch = arrays.column, arrays.threshold, arrays.branch
    first_child, n_children = arrays.first_child, arrays.n_children
    n_spread = 0
    # Rows outside: a row's path is short and its values lie side by side.
    for row in range(values.shape[0]):
        node = 0
        column = split_column[0]
        while column >= 0:
            x = values[row, column]
            first = first_child[node]
            threshold = thresholds[node]
            # The common case, a known number at a numeric split, without a call.
            if not (math.isnan(x) or math.isnan(threshold)):
                node = first + (0 if x - threshold < 1e-6 else 1)
            else:
                child = find_child(branch, first, n_children[node], threshold, x, n_values[column])
                if child == NOWHERE:
                    if not stop:
                        node = NOWHERE
                        n_spread += 1
                    break
                node = child
            column = split_column[node]
        landed[row] = node
    return n_spread


@njit(cache=True, nogil=True)
def _push_children(weight, first, n_children, share, waiting, owed, top):
    """Put the children on the stack, each with its part of the share by weight."""
    total = 0.0
    for child in range(first, first + n_children):
        total += weight[child]
    # Backwards, so that leaves come off the stack in the order of the tree.
    for child in range(first + n_children - 1, first - 1, -1):
        # By weight of training rows (Quinlan 1993, chapter 3); of children without rows none is
        # better than another.
        part = weight[child] / total if total > 0 else 1.0 / n_children
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
    split_column, thresholds, branch = arrays.column, arrays.threshold, arrays.branch
    first_child, n_children, weight = arrays.first_child, arrays.n_children, arrays.weight
    waiting = np.empty(split_column.shape[0] + 1, dtype=np.int32)
    owed = np.empty(split_column.shape[0] + 1)
    # Run twice: once to know how much room is needed, once to fill it.
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
            column = split_column[node]
            if column < 0:
                if not count_only:
                    nodes[end] = node
                    shares[end] = share
                end += 1
                continue
            below, n_below = first_child[node], n_children[node]
            x = values[row, column]
            child = find_child(branch, below, n_below, thresholds[node], x, n_values[column])
            # The row divides; its pieces are followed one by one, so nothing recurses.
            if child == NOWHERE:
                top = _push_children(weight, below, n_below, share, waiting, owed, top)
            else:
                waiting[top] = child
                owed[top] = share
                top += 1
        first[row + 1] = end


@njit(cache=True, nogil=True)
def mix(first, nodes, shares, probs, rows, out):
    """Write the average of the nodes' vectors, by share, into the given rows."""
    for i in range(rows.shape[0]):
        # Outcomes outside: each sum is built in one register.
        for outcome in range(probs.shape[1]):
            total = 0.0
            for place in range(first[i], first[i + 1]):
                total += shares[place] * probs[nodes[place], outcome]
            out[rows[i], outcome] = total


@njit(cache=True, nogil=True)
def read_codes(values, n_values, codes):
    """Write rows as codes, missing values as the number of declared ones."""
    for row in range(values.shape[0]):
        for column in range(values.shape[1]):
            x = values[row, column]
            codes[row, column] = n_values[column] if math.isnan(x) else int(x)


@njit(cache=True, nogil=True)
def add_table(arrays, log_probs, target, codes, log_joint):
    """Add, for every row and class, the log probability of the row's value in the table.

    The class column is read as the class in question, not from the row. Where a value
    leads nowhere the deepest context met answers. A value that is not an outcome of the
    table says nothing about the class and adds nothing.
    """
    class_column = codes.shape[1] - 1
    split_column, first_child = arrays.column, arrays.first_child
    n_children, branch = arrays.n_children, arrays.branch
    # Classes outside: the rows of one class walk the same part of the table.
    for k in range(log_joint.shape[1]):
        for row in range(codes.shape[0]):
            outcome = codes[row, target]
            # Not recorded, where that is no value of the column: no factor.
            if outcome < 0 or outcome >= log_probs.shape[1]:
                continue
            node = 0
            column = split_column[0]
            while column >= 0:
                code = k if column == class_column else codes[row, column]
                first = first_child[node]
                # Most contexts list all values: then the child is where its code says.
                if 0 <= code < n_children[node] and branch[first + code] == code:
                    node = first + code
                else:
                    child = NOWHERE
                    if code >= 0:
                        child = find_branch(branch, first, n_children[node], code)
                    # The context was never met: the smoother's answer one level up.
                    if child == NOWHERE:
                        break
                    node = child
                column = split_column[node]
            log_joint[row, k] += log_probs[node, outcome]


SMALLEST_PATH = 2e-3
"""Softly routed paths with less weight than this are dropped."""

MOST_PATHS = int(1 / SMALLEST_PATH)

FAR = 15.0
"""So many widths from a cut the logistic function is 0 or 1 (to within 3e-7)."""


@njit(cache=True, nogil=True)
def measure_splits(arrays, values, n_values, weights, centre, spread):
    """Write, for every numeric split, the middle of its gap and the spread of its values.

    The gap lies between the largest training value on the left and the smallest on the
    right; the spread is the standard deviation over the rows at the node. Rows that lead
    nowhere go to all children by weight.
    """
    split_column, thresholds, branch = arrays.column, arrays.threshold, arrays.branch
    first_child, n_children, weight = arrays.first_child, arrays.n_children, arrays.weight
    n_nodes = split_column.shape[0]
    rows_at, sums, squares = np.zeros(n_nodes), np.zeros(n_nodes), np.zeros(n_nodes)
    below, above = np.full(n_nodes, -np.inf), np.full(n_nodes, np.inf)
    waiting = np.empty(n_nodes + 1, dtype=np.int32)
    owed = np.empty(n_nodes + 1)
    for row in range(values.shape[0]):
        waiting[0] = 0
        owed[0] = weights[row]
        top = 1
        while top > 0:
            top -= 1
            node, share = waiting[top], owed[top]
            column = split_column[node]
            if column < 0:
                continue
            x = values[row, column]
            threshold = thresholds[node]
            child, n_below = first_child[node], n_children[node]
            if math.isnan(x) or math.isnan(threshold):
                led_to = find_child(branch, child, n_below, threshold, x, n_values[column])
                if led_to == NOWHERE:
                    top = _push_children(weight, child, n_below, share, waiting, owed, top)
                    continue
                child = led_to
            else:
                # Distances from the cut, not values: squares of large values would lose their
                # digits.
                off = x - threshold
                rows_at[node] += share
                sums[node] += share * off
                squares[node] += share * off * off
                if off < 1e-6:
                    below[node] = max(below[node], x)
                else:
                    above[node] = min(above[node], x)
                    child += 1
            waiting[top] = child
            owed[top] = share
            top += 1
    for node in range(n_nodes):
        centre[node] = thresholds[node]
        spread[node] = 0.0
        if rows_at[node] > 0:
            mean = sums[node] / rows_at[node]
            spread[node] = math.sqrt(max(squares[node] / rows_at[node] - mean * mean, 0.0))
            # The cut is a value of the training rows (Weka); the middle of the gap is fair to both
            # sides.
            if below[node] > -np.inf and above[node] < np.inf:
                centre[node] = 0.5 * (below[node] + above[node])


SMALLEST_STEP = 1e-3
"""A softly routed row is not followed into nodes that it reaches with less weight than this."""


@njit(cache=True, nogil=True)
def follow(arrays, gates, routing, row_values, n_values, every, paths):
    """List the nodes where a row ends softly, or every one that it passes; return how many.

    ``routing`` holds blur, stray and the weight below which a path is dropped. At a node with N
    rows the share stray / (stray + N) of a row's weight goes to the children by their size. The
    rest goes where the value leads: at a numeric split, to the right by the logistic function of
    the distance from the gap's middle in units of blur * spread. A path all of whose
    continuations would be dropped ends where it is.
    """
    # Taken from the tuple once: each time costs more than what is then done at a node.
    split_column, thresholds, branch = arrays.column, arrays.threshold, arrays.branch
    first_child, n_children, size = arrays.first_child, arrays.n_children, arrays.weight
    nodes, shares, waiting, owed = paths
    blur, stray, smallest = routing
    waiting[0] = 0
    owed[0] = 1.0
    top = 1
    n_listed = 0
    while top > 0:
        top -= 1
        node, share = waiting[top], owed[top]
        before, column = top, split_column[node]
        if column >= 0:
            first, n_below = first_child[node], n_children[node]
            threshold, rows, x = thresholds[node], size[node], row_values[column]
            led_to = first
            to_right = 0.0
            # Nothing to blur: a category, or no value.
            if math.isnan(x) or math.isnan(threshold):
                led_to = find_child(branch, first, n_below, threshold, x, n_values[column])
            elif blur * gates[1, node] > 0:
                off = (x - gates[0, node]) / (blur * gates[1, node])
                # Beyond FAR the exponential is spared.
                to_right = 0.0 if off < -FAR else 1.0 if off > FAR else 1.0 / (1.0 + math.exp(-off))
            elif x - threshold >= 1e-6:
                to_right = 1.0
            # A value that leads nowhere strays wholly, which is what "divided by weight" means.
            strayed = 1.0 if led_to == NOWHERE else stray / (stray + rows) if stray > 0 else 0.0
            followed = share * (1.0 - strayed)
            for child in range(first, first + n_below):
                part = 0.0
                if strayed > 0:
                    part = share * strayed * (size[child] / rows if rows > 0 else 1.0 / n_below)
                if child == led_to:
                    part += followed * (1.0 - to_right)
                elif to_right > 0 and child == first + 1:
                    part += followed * to_right
                # Dropped here, not at the leaves: it bounds the paths by 1 / smallest.
                if part >= smallest:
                    waiting[top] = child
                    owed[top] = part
                    top += 1
        if (node > 0) if every else (top == before):
            nodes[n_listed] = node
            shares[n_listed] = share
            n_listed += 1
    return n_listed


@njit(cache=True, nogil=True)
def route(arrays, gates, blur, stray, row_values, n_values, paths):
    """List the leaves a row reaches softly, with their weights; return how many.

    Paths of little weight are dropped, and what was dropped is given back in proportion.
    """
    weights = paths[1]
    routing = (blur, stray, SMALLEST_PATH)
    n_paths = follow(arrays, gates, routing, row_values, n_values, False, paths)
    total = 0.0
    for path in range(n_paths):
        total += weights[path]
    for path in range(n_paths):
        weights[path] /= total
    return n_paths


@njit(cache=True, nogil=True)
def soft_steps(arrays, gates, blur, stray, values, n_values, first, nodes, shares):
    """List every node but the root that rows reach softly, as far as there is room.

    Inner nodes are listed too, and nothing is rescaled: the share of a node is the weight
    with which the row arrives there.
    """
    n_nodes = arrays.column.shape[0]
    waiting, owed = np.empty(n_nodes + 1, dtype=np.int32), np.empty(n_nodes + 1)
    routing = (blur, stray, SMALLEST_STEP)
    end = 0
    for row in range(values.shape[0]):
        # A row reaches a node at most once: report where to go on if they may not all fit.
        if end + n_nodes > nodes.shape[0]:
            return row
        paths = (nodes[end:], shares[end:], waiting, owed)
        end += follow(arrays, gates, routing, values[row], n_values, True, paths)
        first[row + 1] = end
    return values.shape[0]


@njit(cache=True, nogil=True)
def soft_land(arrays, gates, blur, stray, values, n_values, first, nodes, shares):
    """List the leaves that every row reaches softly, as far as there is room."""
    size = MOST_PATHS + 1
    paths = (
        np.empty(size, dtype=np.int32),
        np.empty(size),
        np.empty(arrays.column.shape[0] + size, dtype=np.int32),
        np.empty(arrays.column.shape[0] + size),
    )
    end = 0
    for row in range(values.shape[0]):
        n_paths = route(arrays, gates, blur, stray, values[row], n_values, paths)
        # Report where to go on; the caller makes room.
        if end + n_paths > nodes.shape[0]:
            return row
        for path in range(n_paths):
            nodes[end] = paths[0][path]
            shares[end] = paths[1][path]
            end += 1
        first[row + 1] = end
    return values.shape[0]


@njit(cache=True, nogil=True)
def score_routes(arrays, gates, routes, probs, values, n_values, weights, losses):
    """Add the Brier scores of rows under every way to route and every set of node vectors.

    ``routes`` holds blur and stray, ``probs[node, h]`` a node's vector of set h,
    ``losses[r, h]`` the sums.
    """
    size = MOST_PATHS + 1
    paths = (
        np.empty(size, dtype=np.int32),
        np.empty(size),
        np.empty(arrays.column.shape[0] + size, dtype=np.int32),
        np.empty(arrays.column.shape[0] + size),
    )
    n_nodes, n_sets, n_outcomes = probs.shape
    # All sets of vectors in one line: routing costs more than mixing, so a route is found once for
    # all of them.
    flat = probs.reshape(n_nodes, n_sets * n_outcomes)
    mixed = np.empty(n_sets * n_outcomes)
    for row in range(values.shape[0]):
        outcome = int(values[row, values.shape[1] - 1])
        for r in range(routes.shape[0]):
            blur, stray = routes[r]
            n_paths = route(arrays, gates, blur, stray, values[row], n_values, paths)
            mixed[:] = 0.0
            for path in range(n_paths):
                node, share = paths[0][path], paths[1][path]
                for place in range(mixed.shape[0]):
                    mixed[place] += share * flat[node, place]
            for h in range(n_sets):
                first = h * n_outcomes
                # sum (1[y=k] - p_k)^2 = 1 - 2 p_y + p.p.
                loss = 1.0 - 2.0 * mixed[first + outcome]
                for place in range(first, first + n_outcomes):
                    loss += mixed[place] * mixed[place]
                losses[r, h] += weights[row] * loss


@njit(cache=True, nogil=True)
def numeric_scores(x, features, farthest, weights, offset, missing, scores):
    """Fill in what every number adds to the score of every outcome.

    ``features`` holds knots, width, centre and scale.
    """
    knots, width, centre, scale = features
    for row in range(x.shape[0]):
        value = x[row]
        if math.isnan(value):
            scores[row] = missing
            continue
        scores[row] = offset
        for feature in range(centre.shape[0]):
            raw = value
            if feature > 0:
                off = (knots[feature - 1] - value) / width
                # Beyond 700 the exponential overflows, and the step is 0.
                raw = 1.0 / (1.0 + math.exp(off)) if off < 700 else 0.0
            z = (raw - centre[feature]) / scale[feature]
            z = min(max(z, -farthest), farthest)
            for k in range(scores.shape[1]):
                scores[row, k] += z * weights[feature, k]
