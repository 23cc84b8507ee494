"""Counting rows in the nodes of a tree, and C4.5's pessimistic pruning, without recursion.

The records are described in :mod:`probtrees.grow.prune`.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

DONE, PAUSED, NEEDS_ITEMS = 0, 1, 2
"""Why :func:`prune_pessimistically` returned."""

KEPT, RAISED, NO_ROOM = 0, 1, -1
"""What became of a node; NO_ROOM: nothing yet."""

N_FRAMES, N_SETTLED, N_UNKNOWN, N_STEPS, ALL_WHOLE = 0, 1, 2, 3, 4
"""Positions in ``Pruning.state``."""

NOWHERE = -1
"""A value that leads to no child: missing, where that is no branch of its own."""

CLOSE = 1e-6
"""Differences up to this size do not count."""

compiled = njit(cache=True, nogil=True, error_model="numpy")
compiled_inner = njit(
    nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True
)
"""Kernels called only by kernels become part of them: no entry from Python, no file of their
own in the cache. Both take long."""


@compiled_inner
def find_child(x, threshold, n_children, n_categories):
    """Return which child a value leads to, or NOWHERE."""
    # A nominal split: the category is the child. A missing value has a branch behind all others, or
    # none.
    if math.isnan(threshold):
        if x >= 0.0:
            return int(x)
        return n_categories if n_children > n_categories else NOWHERE
    if math.isnan(x):
        return 2 if n_children > 2 else NOWHERE
    # Weka's rule: a value above the cut by less than 1e-6 still goes left.
    return 0 if x - threshold < CLOSE else 1


@compiled
def count_rows(tree, rows, labels, weights, counts, fragments, nodes, shares):
    """Add rows to the counts of every node they pass.

    A row that a node cannot send down one branch goes down all of them, its weight divided in
    proportion to ``tree.weight``. ``nodes`` and ``shares`` are room for the waiting pieces.
    """
    values = rows.values
    for row in range(values.shape[0]):
        n_waiting = 1
        nodes[0] = 0
        shares[0] = weights[row]
        # A stack of pieces of this row: one, until a value leads nowhere.
        while n_waiting > 0:
            n_waiting -= 1
            node = nodes[n_waiting]
            weight = shares[n_waiting]
            counts[node, labels[row]] += weight
            # Every piece counts as one here, whatever its weight.
            fragments[node, labels[row]] += 1.0
            n_children = tree.n_children[node]
            if n_children == 0:
                continue
            column = tree.column[node]
            first = tree.first_child[node]
            child = find_child(
                values[row, column], tree.threshold[node], n_children, rows.n_values[column]
            )
            if child != NOWHERE:
                nodes[n_waiting] = first + child
                shares[n_waiting] = weight
                n_waiting += 1
                continue
            # By the weights of growing, not by the counts written here, which are not complete yet.
            known = 0.0
            for sibling in range(first, first + n_children):
                known += tree.weight[sibling]
            for sibling in range(first, first + n_children):
                part = tree.weight[sibling] / known if known > CLOSE else 1.0 / n_children
                if part > CLOSE:
                    nodes[n_waiting] = sibling
                    shares[n_waiting] = weight * part
                    n_waiting += 1


@compiled_inner
def added_errors(total, errors, estimate):
    """Errors to add to those seen, for the upper end of their confidence interval.

    Up to one error: total * (1 - confidence^(1/total)) for none, then straight to the value at
    one error. Else the upper limit of the binomial by its normal approximation with continuity
    correction (Quinlan 1993, chapter 4).
    """
    # The binomial's upper limit is known exactly for no error; a fraction of one is placed on the
    # straight line to the value at one, as C4.5 does.
    if errors < 1.0:
        none = total * (1.0 - estimate.confidence ** (1.0 / total))
        if errors == 0.0:
            return none
    at_least_one = max(errors, 1.0)
    # All rows wrong, or nearly: nothing lies above.
    if at_least_one + 0.5 >= total:
        added = max(total - at_least_one, 0.0)
    else:
        z = estimate.quantile
        # Wilson's interval with a continuity correction of half an error.
        rate = (at_least_one + 0.5) / total
        spread = z * math.sqrt(rate / total - rate * rate / total + z * z / (4 * total * total))
        upper = (rate + z * z / (2 * total) + spread) / (1 + z * z / total)
        added = upper * total - at_least_one
    if errors < 1.0:
        return none + errors * (added - none)
    return added


@compiled_inner
def estimated_errors(counts, estimate):
    """Errors to expect in a leaf with these counts."""
    total = 0.0
    largest = 0.0
    for outcome in range(counts.shape[0]):
        total += counts[outcome]
        largest = max(largest, counts[outcome])
    # An empty leaf makes no errors.
    if total < CLOSE:
        return 0.0
    return total - largest + added_errors(total, total - largest, estimate)


@compiled_inner
def deal(node, start, stop, to, tree, rows, pruning):
    """Copy a node's items, child by child, to ``items[to:]``; return where they end.

    Where a child's items start is noted in ``first_item``. An item that leads to no child goes
    to all of them, its weight divided in proportion to the others'; how many there are is noted
    in ``state``. Returns NO_ROOM, and copies nothing, when there is too little room.
    """
    items, first_item, branches = pruning.items, pruning.first_item, pruning.branches
    values = rows.values
    first = tree.first_child[node]
    n_children = tree.n_children[node]
    column = tree.column[node]
    threshold = tree.threshold[node]
    n_categories = rows.n_values[column]
    for child in range(n_children):
        branches[child].place = 0
        branches[child].share = 0.0
    n_unknown = 0
    known = 0.0
    # First pass: how many items, and what weight, each child gets.
    for i in range(start, stop):
        child = find_child(values[items[i].row, column], threshold, n_children, n_categories)
        if child == NOWHERE:
            n_unknown += 1
        else:
            branches[child].place += 1
            branches[child].share += items[i].weight
            known += items[i].weight
    end = to
    for child in range(n_children):
        n_items = branches[child].place
        # Counts become places; every child with a share needs room for all unknown items.
        branches[child].place = end
        first_item[first + child] = end
        branches[child].share = branches[child].share / known if known > CLOSE else 1 / n_children
        end += n_items
        if branches[child].share > CLOSE:
            end += n_unknown
    if end > items.shape[0]:
        return NO_ROOM
    pruning.state[N_UNKNOWN] = n_unknown
    pruning.state[N_STEPS] += stop - start
    # Second pass: copy. The source lies below `to`, so nothing is overwritten.
    for i in range(start, stop):
        child = find_child(values[items[i].row, column], threshold, n_children, n_categories)
        # A known item goes to one child, an unknown one to all of them.
        last = n_children if child == NOWHERE else child + 1
        for target in range(max(child, 0), last):
            part = branches[target].share if child == NOWHERE else 1.0
            if part > CLOSE:
                place = branches[target].place
                branches[target].place = place + 1
                items[place].row = items[i].row
                items[place].outcome = items[i].outcome
                items[place].weight = items[i].weight * part
    return end


@compiled_inner
def errors_through(node, start, stop, to, tree, rows, estimate, pruning):
    """Estimate the errors if these items went through the subtree of a node; -1: no room.

    Room is taken from ``items[to:]``.
    """
    items, pieces, counts = pruning.items, pruning.pieces, pruning.counts
    first_item = pruning.first_item
    pieces[0].node = node
    pieces[0].start = start
    pieces[0].stop = stop
    n_pieces = 1
    errors = 0.0
    while n_pieces > 0:
        n_pieces -= 1
        node = pieces[n_pieces].node
        start = pieces[n_pieces].start
        stop = pieces[n_pieces].stop
        n_children = tree.n_children[node]
        # The counts of the tree belong to other rows: count these items.
        if n_children == 0:
            for outcome in range(counts.shape[0]):
                counts[outcome] = 0.0
            for i in range(start, stop):
                counts[items[i].outcome] += items[i].weight
            errors += estimated_errors(counts, estimate)
            continue
        # What lies behind the last piece is finished.
        end = deal(node, start, stop, max(to, stop), tree, rows, pruning)
        if end == NO_ROOM:
            return -1.0
        first = tree.first_child[node]
        for child in range(first, first + n_children):
            last = end if child == first + n_children - 1 else first_item[child + 1]
            # A child without items makes no errors and needs no look.
            if last > first_item[child]:
                pieces[n_pieces].node = child
                pieces[n_pieces].start = first_item[child]
                pieces[n_pieces].stop = last
                n_pieces += 1
    return errors


@compiled_inner
def recount_children(node, end, tree, fragments, pruning):
    """Count the items that were dealt to a node's children."""
    items, first_item = pruning.items, pruning.first_item
    counts = tree.counts
    first = tree.first_child[node]
    last = first + tree.n_children[node] - 1
    for child in range(first, last + 1):
        # A raised branch has got the rows of its former siblings: all counts change.
        for outcome in range(counts.shape[1]):
            counts[child, outcome] = 0.0
            fragments[child, outcome] = 0.0
        weight = 0.0
        for i in range(first_item[child], end if child == last else first_item[child + 1]):
            counts[child, items[i].outcome] += items[i].weight
            fragments[child, items[i].outcome] += 1.0
            weight += items[i].weight
        tree.weight[child] = weight


@compiled_inner
def settle(frame, tree, rows, estimate, pruning):
    """Decide about a node whose children are settled: keep it, cut it, or raise a branch.

    The most populated branch is raised, or the node made a leaf, if that is expected to make at
    most 0.1 errors more. Returns KEPT, RAISED or NO_ROOM.
    """
    errors = pruning.errors
    node = frame.node
    first = np.int64(tree.first_child[node])
    as_tree = 0.0
    largest = first
    for child in range(first, first + tree.n_children[node]):
        as_tree += errors[child]
        # Of equally populated branches the last one, as in Weka.
        if tree.weight[child] - tree.weight[largest] > -CLOSE:
            largest = child
    as_branch = math.inf
    if estimate.raising:
        # All rows of the node would go through the branch, not only those it was grown from.
        as_branch = errors_through(
            largest, frame.start, frame.stop, frame.end, tree, rows, estimate, pruning
        )
        if as_branch < 0.0:
            return NO_ROOM
    as_leaf = estimated_errors(tree.counts[node], estimate)
    errors[node] = as_tree
    # A leaf is preferred to raising, and either to the subtree as it is (Quinlan 1993, chapter 4;
    # 0.1 is C4.5's slack).
    if as_leaf - as_tree < 0.1 + CLOSE and as_leaf - as_branch < 0.1 + CLOSE:
        tree.n_children[node] = 0
        errors[node] = as_leaf
    elif as_branch - as_tree < 0.1 + CLOSE:
        # Raising is this node taking over the branch's split and children; the branch's own node is
        # left without a parent and dropped later.
        tree.first_child[node] = tree.first_child[largest]
        tree.n_children[node] = tree.n_children[largest]
        tree.column[node] = tree.column[largest]
        tree.threshold[node] = tree.threshold[largest]
        return RAISED
    return KEPT


@compiled
def prune_pessimistically(tree, fragments, rows, estimate, pruning, budget):
    """Settle all nodes, children first, until the budget of items is spent or room is short.

    After raising a branch, its new node is settled again from its own rows; of its descendants
    only those that have got more rows than they were settled with.
    """
    state, frames, first_item = pruning.state, pruning.frames, pruning.first_item
    while state[N_FRAMES] > 0:
        # Only between two steps of a frame, so that work goes on where it stopped.
        if state[N_STEPS] > budget:
            state[N_STEPS] = 0
            return PAUSED
        depth = state[N_FRAMES] - 1
        frame = frames[depth]
        node = frame.node
        n_children = tree.n_children[node]
        # Items of this node's children go behind those of its siblings, which still wait.
        to = frames[depth - 1].end if depth > 0 else frame.stop
        if n_children == 0:
            pruning.errors[node] = estimated_errors(tree.counts[node], estimate)
            state[N_FRAMES] -= 1
        # First visit: deal the rows to the children.
        elif frame.next_child < 0:
            frame.end = deal(node, frame.start, frame.stop, to, tree, rows, pruning)
            if frame.end == NO_ROOM:
                return NEEDS_ITEMS
            if state[N_UNKNOWN] > 0:
                state[ALL_WHOLE] = 0
            recount_children(node, frame.end, tree, fragments, pruning)
            frame.next_child = 0
        # Then settle the children, one by one.
        elif frame.next_child < n_children:
            child = tree.first_child[node] + frame.next_child
            frame.next_child += 1
            is_last = frame.next_child == n_children
            stop = frame.end if is_last else first_item[child + 1]
            n_items = stop - first_item[child]
            # Rows are only ever added to a node: as many as before are the same ones, and of the
            # same weight while none was divided.
            if n_items == pruning.settled_with[child] and state[ALL_WHOLE] == 1:
                continue
            pruning.settled_with[child] = n_items
            frames[depth + 1].node = child
            frames[depth + 1].start = first_item[child]
            frames[depth + 1].stop = stop
            frames[depth + 1].next_child = -1
            state[N_FRAMES] += 1
        else:
            outcome = settle(frame, tree, rows, estimate, pruning)
            if outcome == NO_ROOM:
                return NEEDS_ITEMS
            # Its new children have other rows than before: deal and settle them again.
            if outcome == RAISED:
                frame.next_child = -1
            else:
                state[N_FRAMES] -= 1
                state[N_SETTLED] += 1
    return DONE


@compiled
def prune_by_counts(tree, estimate, errors, is_cut):
    """Mark the nodes to be made leaves, children before parents, by the nodes' counts alone."""
    # Backwards is children first. No rows are moved, so no branch can be raised.
    for node in range(tree.parent.shape[0] - 1, -1, -1):
        as_leaf = estimated_errors(tree.counts[node], estimate)
        errors[node] = as_leaf
        first = tree.first_child[node]
        if tree.n_children[node] > 0:
            as_tree = 0.0
            for child in range(first, first + tree.n_children[node]):
                as_tree += errors[child]
            if as_leaf - as_tree < 0.1 + CLOSE:
                is_cut[node] = True
            else:
                errors[node] = as_tree
