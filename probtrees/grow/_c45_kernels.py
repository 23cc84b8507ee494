"""Growing a C4.5 tree, depth first, without recursion.

A node's rows are a contiguous piece of :class:`Items`. Splitting a node rearranges its piece
into one piece per child, in place; the pieces wait on a stack, and the one on top is always
the last of the buffer. So a row that is split over several branches simply makes the top
piece longer, and what lies above the top piece is finished.

Numeric columns arrive as ranks of their distinct values, so a node never sorts numbers: it
counts (rank, outcome) pairs in a table where ranks are few, all columns in one pass over the
rows, and sorts small integers where they are many. Both ways give the same list of *moves*,
ascending in rank: (rank, outcome, weight). A scan over the moves updates sum n*ln(n) in
constant time per move.

Arrays are taken out of their tuples before a loop, never inside: that keeps reference
counting out of the loops.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

DONE, PAUSED, NEEDS_NODES, NEEDS_ITEMS = 0, 1, 2, 3
"""Why :func:`grow_nodes` returned."""

N_NODES, N_WAITING = 0, 1
"""Positions in ``Growth.state``."""

CLOSE = 1e-6
"""Differences up to this size do not count, in weights, gains and values alike."""

TABLE_SHARE = 4
"""Count in a table while it has at most this many cells per row of the node."""

FEW = 20
"""Up to this many keys are sorted by insertion."""

RADIX_BITS = 10
"""The widest digit of the radix sort."""

LN2 = math.log(2.0)


class Columns(NamedTuple):
    """The training table as cell numbers, columns with few codes first.

    A *cell* is the place of a (column, code) pair in one long table with ``n_outcomes`` entries
    per pair: ``cell = first_cell + code * step``. Within a column cells ascend with codes.

    Attributes
    ----------
    cells : int32[n_rows, n_columns]
    number : int64[n_columns], the column's number in the user's table
    place : int64[n_columns], the reverse: where each of the user's columns is found here
    first_cell, step : int64[n_columns]
    n_codes : int64[n_columns], distinct codes apart from missing
    missing_cell : int64[n_columns], the cell that stands for a missing value; -1 where missing
        is a code like any other or never occurs
    nominal : bool[n_columns]
    own_branch : bool[n_columns], whether missing values get a branch of their own
    in_mean : bool[n_columns], whether the column's gain counts in the mean gain
    tight : bool[n_columns], whether some neighbouring values are too close to be cut apart
    first_value : int64[n_columns], where a numeric column's distinct values start
    values : float64[...], the distinct values of all numeric columns, ascending per column
    """

    cells: NDArray[np.int32]
    number: NDArray[np.int64]
    place: NDArray[np.int64]
    first_cell: NDArray[np.int64]
    step: NDArray[np.int64]
    n_codes: NDArray[np.int64]
    missing_cell: NDArray[np.int64]
    nominal: NDArray[np.bool_]
    own_branch: NDArray[np.bool_]
    in_mean: NDArray[np.bool_]
    tight: NDArray[np.bool_]
    first_value: NDArray[np.int64]
    values: NDArray[np.float64]


class Items(NamedTuple):
    """Rows, or pieces of rows, in the order of the nodes that hold them."""

    row: NDArray[np.int32]
    outcome: NDArray[np.int32]
    weight: NDArray[np.float64]


class Moves(NamedTuple):
    """Rows of a node in the order of one column: cell, outcome, weight."""

    cell: NDArray[np.int32]
    outcome: NDArray[np.int32]
    weight: NDArray[np.float64]


class Rules(NamedTuple):
    """When to stop, and how many columns a node may look at."""

    min_leaf: float
    max_depth: int
    columns_per_node: int
    n_tabled: int


class Growth(NamedTuple):
    """What is known so far.

    Attributes
    ----------
    state : int64[2], number of nodes made, number of nodes waiting
    seeds : int64[2], state of the random numbers that pick columns
    waiting : int32[n], nodes whose split is still to be chosen
    start, stop : int64[n], their items
    fragments : float64[n_nodes, n_outcomes], rows that arrived with any weight
    """

    state: NDArray[np.int64]
    seeds: NDArray[np.int64]
    waiting: NDArray[np.int32]
    start: NDArray[np.int64]
    stop: NDArray[np.int64]
    fragments: NDArray[np.float64]


class Scores(NamedTuple):
    """What is known of the columns at a node.

    Attributes
    ----------
    gain, ratio : float64[n_columns], in bits; ratio is -1 where no split is admissible
    below, above : int64[n_columns], the cells on both sides of the best cut
    """

    gain: NDArray[np.float64]
    ratio: NDArray[np.float64]
    below: NDArray[np.int64]
    above: NDArray[np.int64]


class Scratch(NamedTuple):
    """Room to work in; ``table``, ``low`` and ``high`` are zero between two columns."""

    n_log_n: NDArray[np.float64]
    table: NDArray[np.float64]
    keys: NDArray[np.int64]
    digits: NDArray[np.int64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    order: NDArray[np.int64]
    branch: NDArray[np.int32]
    place: NDArray[np.int64]
    share: NDArray[np.float64]


@njit(cache=True, nogil=True)
def n_log_n(x, table):
    """x * ln(x), from the table where x is a whole number."""
    whole = int(x)
    if whole == x and whole < table.shape[0]:
        return table[whole]
    if x < CLOSE:
        return 0.0
    return x * math.log(x)


@njit(cache=True, nogil=True)
def fill_tables(start, stop, n_tabled, items, cells, table):
    """Add a node's rows to the tables of the first columns."""
    rows = items.row
    outcomes = items.outcome
    weights = items.weight
    for i in range(start, stop):
        row = rows[i]
        outcome = outcomes[i]
        weight = weights[i]
        for column in range(n_tabled):
            table[cells[row, column] + outcome] += weight


@njit(cache=True, nogil=True)
def moves_from_table(first, last, missing, table, n_outcomes, moves):
    """List the moves of a column from its table, and clear the table."""
    cells = moves.cell
    outcomes = moves.outcome
    weights = moves.weight
    n_moves = 0
    for cell in range(first, last, n_outcomes):
        for outcome in range(n_outcomes):
            weight = table[cell + outcome]
            if weight > 0.0:
                table[cell + outcome] = 0.0
                if cell != missing:
                    cells[n_moves] = cell
                    outcomes[n_moves] = outcome
                    weights[n_moves] = weight
                    n_moves += 1
    return n_moves


@njit(cache=True, nogil=True)
def moves_by_sorting(column, start, stop, items, columns, scratch, moves):
    """List the moves of a column by sorting the node's rows; none if they share one cell."""
    rows = items.row
    cells = columns.cells
    keys = scratch.keys
    missing = columns.missing_cell[column]
    n_moves = 0
    lowest = np.int64(2147483647)
    highest = np.int64(-1)
    for i in range(start, stop):
        cell = np.int64(cells[rows[i], column])
        if cell != missing:
            keys[0, n_moves] = (cell << 32) | i
            n_moves += 1
            lowest = min(lowest, cell)
            highest = max(highest, cell)
    if highest <= lowest:
        return 0
    side = 0
    if n_moves <= FEW:
        for move in range(1, n_moves):
            key = keys[0, move]
            gap = move
            while gap > 0 and keys[0, gap - 1] > key:
                keys[0, gap] = keys[0, gap - 1]
                gap -= 1
            keys[0, gap] = key
    else:
        digits = scratch.digits
        base = lowest << 32
        n_bits = 1
        while (highest - lowest) >> n_bits:
            n_bits += 1
        n_passes = (n_bits + RADIX_BITS - 1) // RADIX_BITS
        width = (n_bits + n_passes - 1) // n_passes
        mask = (np.int64(1) << width) - 1
        for step in range(n_passes):
            shift = 32 + step * width
            for digit in range(mask + 1):
                digits[digit] = 0
            for move in range(n_moves):
                digits[((keys[side, move] - base) >> shift) & mask] += 1
            place = np.int64(0)
            for digit in range(mask + 1):
                count = digits[digit]
                digits[digit] = place
                place += count
            for move in range(n_moves):
                key = keys[side, move]
                digit = ((key - base) >> shift) & mask
                keys[1 - side, digits[digit]] = key
                digits[digit] += 1
            side = 1 - side
    outcomes = items.outcome
    weights = items.weight
    move_cells = moves.cell
    move_outcomes = moves.outcome
    move_weights = moves.weight
    for move in range(n_moves):
        key = keys[side, move]
        i = key & 0xFFFFFFFF
        move_cells[move] = key >> 32
        move_outcomes[move] = outcomes[i]
        move_weights[move] = weights[i]
    return n_moves


@njit(cache=True, nogil=True)
def score_nominal(n_moves, node_weight, min_leaf, moves, scratch):
    """Judge a split with one branch per code: gain and gain ratio, or -1 if inadmissible.

    Rows left out of the moves are the unknown ones.
    """
    table = scratch.n_log_n
    low = scratch.low
    high = scratch.high
    cells = moves.cell
    outcomes = moves.outcome
    weights = moves.weight
    within = 0.0
    branches = 0.0
    known = 0.0
    n_large = 0
    first = 0
    while first < n_moves:
        cell = cells[first]
        branch_weight = 0.0
        move = first
        while move < n_moves and cells[move] == cell:
            outcome = outcomes[move]
            before = low[outcome]
            after = before + weights[move]
            within += n_log_n(after, table) - n_log_n(before, table)
            low[outcome] = after
            branch_weight += weights[move]
            move += 1
        for done in range(first, move):
            high[outcomes[done]] += low[outcomes[done]]
            low[outcomes[done]] = 0.0
        branches += n_log_n(branch_weight, table)
        known += branch_weight
        if branch_weight - min_leaf > -CLOSE:
            n_large += 1
        first = move
    together = 0.0
    for move in range(n_moves):
        together += n_log_n(high[outcomes[move]], table)
        high[outcomes[move]] = 0.0
    if n_large < 2:
        return 0.0, -1.0
    gain = (n_log_n(known, table) - together - (branches - within)) / LN2
    gain = 0.0 if abs(gain) < CLOSE else gain / node_weight
    branches += n_log_n(node_weight - known, table)
    info = (n_log_n(node_weight, table) - branches) / LN2
    return gain, 0.0 if abs(info) < CLOSE else gain / (info / node_weight)


@njit(cache=True, nogil=True)
def score_numeric(column, n_moves, node, columns, moves, rules, scratch):
    """Find the best cut of a numeric column.

    Returns gain, gain ratio (-1 if no cut is worth making) and the cells around the cut.
    ``node`` is the node's counts, and the number of its rows that have a value.

    Moving the rows one by one below the cut changes sum n*ln(n) over the outcomes of both sides
    by two terms per move. Gains are first those of all known rows together, in nats. A later cut
    must gain more per row by CLOSE bits.
    """
    counts, n_known = node
    table = scratch.n_log_n
    low = scratch.low
    high = scratch.high
    cells = moves.cell
    outcomes = moves.outcome
    weights = moves.weight
    values = columns.values
    known = 0.0
    for move in range(n_moves):
        known += weights[move]
        high[outcomes[move]] += weights[move]
    node_weight = known
    telling = 0.0
    three_way = False
    if columns.missing_cell[column] >= 0:
        # Gain of telling the rows without a value from the others, if they get a branch.
        node_weight = 0.0
        for outcome in range(counts.shape[0]):
            unknown = counts[outcome] - high[outcome]
            node_weight += counts[outcome]
            telling += n_log_n(high[outcome], table) + n_log_n(unknown, table)
            telling -= n_log_n(counts[outcome], table)
        three_way = columns.own_branch[column] and node_weight - known > CLOSE
        telling += n_log_n(node_weight, table) - n_log_n(known, table)
        telling -= n_log_n(node_weight - known, table)
    least = 0.1 * known / counts.shape[0]
    if least - rules.min_leaf < CLOSE:
        least = rules.min_leaf
    elif least - 25.0 > CLOSE:
        least = 25.0
    best = -math.inf if three_way else 0.0
    margin = CLOSE * node_weight * LN2
    best_move = -1
    best_below = 0.0
    n_cuts = 0
    if n_moves > 0 and 2.0 * least - n_known <= CLOSE:
        tight = columns.tight[column]
        first_cell = columns.first_cell[column]
        step = columns.step[column]
        first_value = columns.first_value[column]
        below = 0.0
        gained = n_log_n(known, table)
        last_cell = cells[0]
        for move in range(n_moves):
            cell = cells[move]
            if cell != last_cell:
                above = known - below
                apart = below - least > -CLOSE and above - least > -CLOSE
                if apart and tight:
                    lower = values[first_value + (last_cell - first_cell) // step]
                    apart = lower + 1e-5 < values[first_value + (cell - first_cell) // step]
                if apart:
                    n_cuts += 1
                    gain = gained - n_log_n(below, table) - n_log_n(above, table)
                    if gain - best > margin:
                        best = gain
                        best_move = move
                        best_below = below
                last_cell = cell
            outcome = outcomes[move]
            weight = weights[move]
            gained += n_log_n(low[outcome] + weight, table) - n_log_n(low[outcome], table)
            gained += n_log_n(high[outcome] - weight, table) - n_log_n(high[outcome], table)
            low[outcome] += weight
            high[outcome] -= weight
            below += weight
    for move in range(n_moves):
        low[outcomes[move]] = 0.0
        high[outcomes[move]] = 0.0
    if best_move < 0:
        return 0.0, -1.0, -1, -1
    if three_way:
        best += telling
    gain = (best / LN2 - math.log2(n_cuts)) / node_weight
    if gain < CLOSE:
        return 0.0, -1.0, -1, -1
    info = n_log_n(node_weight, table) - n_log_n(best_below, table)
    info -= n_log_n(known - best_below, table) + n_log_n(node_weight - known, table)
    info /= LN2
    ratio = 0.0 if abs(info) < CLOSE else gain / (info / node_weight)
    return gain, ratio, cells[best_move - 1], cells[best_move]


@njit(cache=True, nogil=True)
def choose_column(columns, scores):
    """Pick the largest gain ratio among the columns of at least mean gain; -1: none.

    Of equal ones the first column of the user's table wins.
    """
    gains = scores.gain
    ratios = scores.ratio
    in_mean = columns.in_mean
    in_user_order = columns.place
    total = 0.0
    n_counted = 0
    for column in in_user_order:
        if ratios[column] >= 0.0 and in_mean[column]:
            total += gains[column]
            n_counted += 1
    if n_counted == 0:
        return -1
    enough = total / n_counted - 1e-3
    best = 0.0
    chosen = -1
    for column in in_user_order:
        if gains[column] >= enough and ratios[column] - best > CLOSE:
            best = ratios[column]
            chosen = column
    return chosen


@njit(cache=True, nogil=True)
def draw_below(limit, seeds):
    """Draw a whole number below ``limit`` (two combined generators, L'Ecuyer 1988)."""
    seeds[0] = seeds[0] * 40014 % 2147483563
    seeds[1] = seeds[1] * 40692 % 2147483399
    return (seeds[0] + seeds[1]) % limit


@njit(cache=True, nogil=True)
def score_columns(start, stop, counts, columns, items, rules, growth, scratch, moves, scores):
    """Judge the columns at a node.

    With fewer columns per node than there are, columns are drawn without replacement until
    enough are seen and at least one of them is admissible.
    """
    n_columns = columns.step.shape[0]
    n_outcomes = counts.shape[0]
    cells = columns.cells
    order = scratch.order
    table = scratch.table
    ratios = scores.ratio
    n_items = stop - start
    node_weight = 0.0
    for outcome in range(n_outcomes):
        node_weight += counts[outcome]
    draws = rules.columns_per_node < n_columns
    n_tabled = 0
    if not draws:
        room = TABLE_SHARE * n_items // n_outcomes
        while n_tabled < rules.n_tabled and columns.n_codes[n_tabled] <= room:
            n_tabled += 1
        if n_tabled > 0:
            fill_tables(start, stop, n_tabled, items, cells, table)
    for column in range(n_columns):
        ratios[column] = -1.0
    found = False
    for seen in range(n_columns):
        column = seen
        if draws:
            if seen >= rules.columns_per_node and found:
                break
            other = seen + draw_below(n_columns - seen, growth.seeds)
            column = order[other]
            order[other] = order[seen]
            order[seen] = column
        missing = columns.missing_cell[column]
        if column < n_tabled:
            first = columns.first_cell[column]
            last = first + (columns.n_codes[column] + 1) * n_outcomes
            n_moves = moves_from_table(first, last, missing, table, n_outcomes, moves)
        else:
            n_moves = moves_by_sorting(column, start, stop, items, columns, scratch, moves)
        if columns.nominal[column]:
            scores.gain[column], ratios[column] = score_nominal(
                n_moves, node_weight, rules.min_leaf, moves, scratch
            )
        else:
            n_known = n_items
            if missing >= 0:
                for i in range(start, stop):
                    if cells[items.row[i], column] == missing:
                        n_known -= 1
            scores.gain[column], ratios[column], scores.below[column], scores.above[column] = (
                score_numeric(column, n_moves, (counts, n_known), columns, moves, rules, scratch)
            )
        found = found or ratios[column] >= 0.0


@njit(cache=True, nogil=True)
def place_threshold(column, columns, scores):
    """Return the split value and the last cell below it.

    The split value is the largest value of the whole training set up to the middle between
    the node's neighbouring values; a value above it by less than CLOSE still lies below.
    """
    values = columns.values
    first_cell = columns.first_cell[column]
    step = columns.step[column]
    offset = columns.first_value[column]
    code = (scores.below[column] - first_cell) // step
    last = (scores.above[column] - first_cell) // step
    upper = values[offset + last]
    middle = (values[offset + code] + upper) / 2.0
    if middle < upper and math.isfinite(middle):
        while values[offset + code + 1] <= middle:
            code += 1
    threshold = values[offset + code]
    while code + 1 < last and values[offset + code + 1] - threshold < CLOSE:
        code += 1
    return threshold, first_cell + code * step


@njit(cache=True, nogil=True)
def find_branches(column, last_below, start, stop, columns, items, branches):
    """Note the branch of each of a node's items; -1: its value leads nowhere.

    Returns the number of branches and the number of items without one.
    """
    rows = items.row
    cells = columns.cells
    first_cell = columns.first_cell[column]
    step = columns.step[column]
    n_codes = columns.n_codes[column]
    nominal = columns.nominal[column]
    missing = first_cell + n_codes * step
    n_branches = n_codes if nominal else 2
    unknown_branch = n_branches if columns.own_branch[column] else -1
    n_unknown = 0
    for i in range(start, stop):
        cell = cells[rows[i], column]
        if cell == missing:
            branch = unknown_branch
            n_unknown += 1
        elif nominal:
            branch = (cell - first_cell) // step
        else:
            branch = 0 if cell <= last_below else 1
        branches[i - start] = branch
    if unknown_branch >= 0:
        return n_branches + 1, 0
    return n_branches, n_unknown


@njit(cache=True, nogil=True)
def deal_items(start, stop, first, n_branches, n_unknown, items, tree, growth, scratch, dealt):
    """Rearrange a node's items child by child, and count them there.

    An item without a branch goes down every branch, its weight divided in proportion to the
    weights of the items that have one. Leaves in ``scratch.place`` where each child's end.
    """
    rows, outcomes, weights = items.row, items.outcome, items.weight
    to_row, to_outcome, to_weight = dealt.cell, dealt.outcome, dealt.weight
    branches, place, share = scratch.branch, scratch.place, scratch.share
    node_weights, counts, fragments = tree.weight, tree.counts, growth.fragments
    for branch in range(n_branches + 1):
        place[branch] = 0
    known = 0.0
    for i in range(stop - start):
        branch = branches[i]
        if branch >= 0:
            place[branch + 1] += 1
            node_weights[first + branch] += weights[start + i]
            known += weights[start + i]
    for branch in range(n_branches):
        share[branch] = node_weights[first + branch] / known
        if share[branch] > CLOSE:
            place[branch + 1] += n_unknown
        place[branch + 1] += place[branch]
        node_weights[first + branch] = 0.0
    n_dealt = place[n_branches]
    for i in range(start, stop):
        branch = branches[i - start]
        outcome = outcomes[i]
        lowest = max(branch, 0)
        highest = branch + 1 if branch >= 0 else n_branches
        for target in range(lowest, highest):
            part = 1.0 if branch >= 0 else share[target]
            if part > CLOSE:
                where = place[target]
                place[target] = where + 1
                weight = weights[i] * part
                to_row[where] = rows[i]
                to_outcome[where] = outcome
                to_weight[where] = weight
                node_weights[first + target] += weight
                counts[first + target, outcome] += weight
                fragments[first + target, outcome] += 1.0
    for i in range(n_dealt):
        rows[start + i] = to_row[i]
        outcomes[start + i] = to_outcome[i]
        weights[start + i] = to_weight[i]


@njit(cache=True, nogil=True)
def let_wait(node, start, stop, tree, growth, rules):
    """Put a node on the stack unless it is plainly a leaf: too small, pure or deep enough."""
    weight = tree.weight[node]
    counts = tree.counts
    largest = 0.0
    for outcome in range(counts.shape[1]):
        largest = max(largest, counts[node, outcome])
    if (
        2.0 * rules.min_leaf - weight > CLOSE
        or weight - largest < CLOSE
        or tree.depth[node] >= rules.max_depth
    ):
        return
    top = growth.state[N_WAITING]
    growth.waiting[top] = node
    growth.start[top] = start
    growth.stop[top] = stop
    growth.state[N_WAITING] = top + 1


@njit(cache=True, nogil=True)
def grow_nodes(columns, items, tree, growth, rules, work, budget):
    """Split waiting nodes until none is left, the budget is spent, or room is short.

    The budget is counted in cells (items x columns) looked at. A node for which room is short
    stays on the stack, so growing goes on as if nothing had happened once there is room.
    """
    scratch, moves, scores = work
    state = growth.state
    n_columns = min(columns.step.shape[0], rules.columns_per_node)
    while state[N_WAITING] > 0:
        if budget <= 0:
            return PAUSED
        top = state[N_WAITING] - 1
        node = growth.waiting[top]
        start = growth.start[top]
        stop = growth.stop[top]
        budget -= (stop - start) * n_columns
        first_seed = growth.seeds[0]
        second_seed = growth.seeds[1]
        score_columns(
            start, stop, tree.counts[node], columns, items, rules, growth, scratch, moves, scores
        )
        column = choose_column(columns, scores)
        if column < 0:
            state[N_WAITING] = top
            continue
        threshold = math.nan
        last_below = np.int64(0)
        if not columns.nominal[column]:
            threshold, last_below = place_threshold(column, columns, scores)
        n_branches, n_unknown = find_branches(
            column, last_below, start, stop, columns, items, scratch.branch
        )
        first = state[N_NODES]
        status = DONE
        if first + n_branches > tree.parent.shape[0]:
            status = NEEDS_NODES
        elif stop + n_unknown * (n_branches - 1) > items.row.shape[0]:
            status = NEEDS_ITEMS
        if status != DONE:
            growth.seeds[0] = first_seed
            growth.seeds[1] = second_seed
            return status
        state[N_NODES] = first + n_branches
        state[N_WAITING] = top
        tree.first_child[node] = first
        tree.n_children[node] = n_branches
        tree.column[node] = columns.number[column]
        tree.threshold[node] = threshold
        for branch in range(n_branches):
            tree.parent[first + branch] = node
            tree.depth[first + branch] = tree.depth[node] + 1
            tree.branch[first + branch] = branch
        deal_items(start, stop, first, n_branches, n_unknown, items, tree, growth, scratch, moves)
        end = start
        for branch in range(n_branches):
            let_wait(first + branch, end, start + scratch.place[branch], tree, growth, rules)
            end = start + scratch.place[branch]
    return DONE
