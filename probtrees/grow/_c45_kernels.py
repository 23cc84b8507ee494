"""Growing a C4.5 tree, depth first, without recursion.

A node's rows are a contiguous piece of :class:`Items`. Splitting a node rearranges its piece
into one piece per child, in place; the pieces wait on a stack, and the one on top is always
the last of the buffer. So a row that is split over several branches simply makes the top
piece longer, and what lies above the top piece is finished.

Numeric columns arrive as ranks of their distinct values, so a node never sorts numbers: it
counts (rank, outcome) pairs where ranks are few, and sorts small integers where they are many.
Both ways give the same list of *moves*, ascending in rank: (rank, outcome, weight). A scan over
the moves updates sum n*log(n) in constant time per move.
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
"""Count (code, outcome) pairs in a table while it has at most this many cells per row."""

FEW = 20
"""Up to this many keys are sorted by insertion."""

RADIX_BITS = 10
"""The widest digit of the radix sort."""


class Columns(NamedTuple):
    """The training table as codes, one row of ``codes`` per column.

    Attributes
    ----------
    codes : int32[n_columns, n_rows]: category, or rank among the distinct values; a missing
        value has the code ``n_codes``
    n_codes : int32[n_columns]
    nominal : bool[n_columns]
    own_branch : bool[n_columns], whether missing values get a branch of their own
    in_mean : bool[n_columns], whether the column's gain counts in the mean gain
    tight : bool[n_columns], whether some neighbouring values are too close to be cut apart
    first_value : int64[n_columns], where a numeric column's distinct values start
    values : float64[...], the distinct values of all numeric columns, ascending per column
    """

    codes: NDArray[np.int32]
    n_codes: NDArray[np.int32]
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


class Rules(NamedTuple):
    """When to stop, and how many columns a node may look at."""

    min_leaf: float
    max_depth: int
    columns_per_node: int


class Growth(NamedTuple):
    """What is known so far: the pieces that wait, and the pieces counted as whole rows.

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


class Whole(NamedTuple):
    """A node as a whole: its weight, its rows, and the sum of n*ln(n) over its outcomes."""

    weight: float
    n_items: int
    within: float


class Scratch(NamedTuple):
    """Room to work in; holds nothing between two nodes.

    ``table``, ``low`` and ``high`` are zero between two columns.
    """

    n_log_n: NDArray[np.float64]
    codes: NDArray[np.int32]
    keys: NDArray[np.int64]
    spare_keys: NDArray[np.int64]
    move_code: NDArray[np.int32]
    move_outcome: NDArray[np.int32]
    move_weight: NDArray[np.float64]
    table: NDArray[np.float64]
    digits: NDArray[np.int64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    gain: NDArray[np.float64]
    ratio: NDArray[np.float64]
    cut_below: NDArray[np.int64]
    cut_above: NDArray[np.int64]
    column: NDArray[np.int64]
    place: NDArray[np.int64]
    share: NDArray[np.float64]
    row: NDArray[np.int32]
    outcome: NDArray[np.int32]
    weight: NDArray[np.float64]


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
def sort_keys(keys, spare, n_keys, n_bits, digits):
    """Sort keys ascending by the code in their upper half; equal codes keep their order."""
    if n_keys <= FEW:
        for i in range(1, n_keys):
            key = keys[i]
            j = i - 1
            while j >= 0 and keys[j] > key:
                keys[j + 1] = keys[j]
                j -= 1
            keys[j + 1] = key
        return
    n_passes = (n_bits + RADIX_BITS - 1) // RADIX_BITS
    width = (n_bits + n_passes - 1) // n_passes
    mask = (1 << width) - 1
    for step in range(n_passes):
        shift = 32 + step * width
        digits[: mask + 2] = 0
        for i in range(n_keys):
            digits[((keys[i] >> shift) & mask) + 1] += 1
        for digit in range(mask):
            digits[digit + 1] += digits[digit]
        for i in range(n_keys):
            digit = (keys[i] >> shift) & mask
            spare[digits[digit]] = keys[i]
            digits[digit] += 1
        keys[:n_keys] = spare[:n_keys]


@njit(cache=True, nogil=True)
def gather_moves(codes, missing, items, start, stop, scratch):
    """List (code, outcome, weight) of a node's known rows, ascending in code.

    Returns the number of moves and the number of known rows. No move at all when the known
    rows share one code.
    """
    node_codes = scratch.codes
    lowest = missing
    highest = -1
    n_known = 0
    for i in range(start, stop):
        code = codes[items.row[i]]
        node_codes[i - start] = code
        if code != missing:
            n_known += 1
            lowest = min(lowest, code)
            highest = max(highest, code)
    if highest <= lowest:
        return 0, n_known
    n_outcomes = scratch.low.shape[0]
    span = highest - lowest + 1
    n_moves = 0
    if span * n_outcomes <= TABLE_SHARE * n_known:
        table = scratch.table
        for i in range(start, stop):
            code = node_codes[i - start]
            if code != missing:
                table[(code - lowest) * n_outcomes + items.outcome[i]] += items.weight[i]
        for cell in range(span * n_outcomes):
            if table[cell] > 0.0:
                scratch.move_code[n_moves] = lowest + cell // n_outcomes
                scratch.move_outcome[n_moves] = cell % n_outcomes
                scratch.move_weight[n_moves] = table[cell]
                table[cell] = 0.0
                n_moves += 1
        return n_moves, n_known
    n_bits = 1
    while span >> n_bits:
        n_bits += 1
    keys = scratch.keys
    for i in range(start, stop):
        code = node_codes[i - start]
        if code != missing:
            keys[n_moves] = (np.int64(code - lowest) << 32) | i
            n_moves += 1
    sort_keys(keys, scratch.spare_keys, n_moves, n_bits, scratch.digits)
    for move in range(n_moves):
        i = keys[move] & 0xFFFFFFFF
        scratch.move_code[move] = lowest + (keys[move] >> 32)
        scratch.move_outcome[move] = items.outcome[i]
        scratch.move_weight[move] = items.weight[i]
    return n_moves, n_known


@njit(cache=True, nogil=True)
def set_ratio(column, branches, node_weight, scratch):
    """Divide the gain by the information of the branching itself.

    ``branches`` is the sum of n*ln(n) over the branches, the unknown rows as one of them.
    """
    info = (n_log_n(node_weight, scratch.n_log_n) - branches) / math.log(2.0)
    if abs(info) < CLOSE:
        scratch.ratio[column] = 0.0
    else:
        scratch.ratio[column] = scratch.gain[column] / (info / node_weight)


@njit(cache=True, nogil=True)
def score_nominal(column, n_moves, whole, rules, scratch):
    """Judge a split with one branch per code; set its gain and gain ratio if admissible.

    Rows left out of the moves are the unknown ones.
    """
    table = scratch.n_log_n
    within = 0.0
    branches = 0.0
    known = 0.0
    n_large = 0
    first = 0
    while first < n_moves:
        code = scratch.move_code[first]
        weight = 0.0
        move = first
        while move < n_moves and scratch.move_code[move] == code:
            outcome = scratch.move_outcome[move]
            before = scratch.low[outcome]
            after = before + scratch.move_weight[move]
            within += n_log_n(after, table) - n_log_n(before, table)
            scratch.low[outcome] = after
            weight += scratch.move_weight[move]
            move += 1
        for done in range(first, move):
            outcome = scratch.move_outcome[done]
            scratch.high[outcome] += scratch.low[outcome]
            scratch.low[outcome] = 0.0
        branches += n_log_n(weight, table)
        known += weight
        if weight - rules.min_leaf > -CLOSE:
            n_large += 1
        first = move
    together = 0.0
    for move in range(n_moves):
        outcome = scratch.move_outcome[move]
        together += n_log_n(scratch.high[outcome], table)
        scratch.high[outcome] = 0.0
    if n_large < 2:
        return
    lost = n_log_n(known, table) - together - (branches - within)
    lost /= math.log(2.0)
    scratch.gain[column] = 0.0 if abs(lost) < CLOSE else lost / whole.weight
    set_ratio(column, branches + n_log_n(whole.weight - known, table), whole.weight, scratch)


@njit(cache=True, nogil=True)
def smallest_side(known, n_outcomes, min_leaf):
    """Weight that each side of a numeric cut must have."""
    least = 0.1 * known / n_outcomes
    if least - min_leaf < CLOSE:
        return min_leaf
    return 25.0 if least - 25.0 > CLOSE else least


@njit(cache=True, nogil=True)
def scan_cuts(column, n_moves, known, least, columns, margin, best, scratch):
    """Move the known rows one by one below the cut and keep the cut that gains most.

    Starts from the gain ``best``; a later cut must gain more by ``margin``. Gains here are
    those of all rows together, in nats. Returns the best gain, the first move above the cut
    (-1: none found), the weight below it, and the number of admissible cuts.
    """
    table = scratch.n_log_n
    for move in range(n_moves):
        scratch.high[scratch.move_outcome[move]] += scratch.move_weight[move]
    tight = columns.tight[column]
    first_value = columns.first_value[column]
    best_move = -1
    best_below = 0.0
    n_cuts = 0
    below = 0.0
    gained = n_log_n(known, table)
    last_code = scratch.move_code[0]
    for move in range(n_moves):
        code = scratch.move_code[move]
        if code != last_code:
            above = known - below
            if (below - least > -CLOSE and above - least > -CLOSE) and (
                not tight
                or columns.values[first_value + last_code] + 1e-5
                < columns.values[first_value + code]
            ):
                n_cuts += 1
                gain = gained - n_log_n(below, table) - n_log_n(above, table)
                if gain - best > margin:
                    best = gain
                    best_move = move
                    best_below = below
            last_code = code
        outcome = scratch.move_outcome[move]
        weight = scratch.move_weight[move]
        low = scratch.low[outcome]
        high = scratch.high[outcome]
        gained += n_log_n(low + weight, table) - n_log_n(low, table)
        gained += n_log_n(high - weight, table) - n_log_n(high, table)
        scratch.low[outcome] = low + weight
        scratch.high[outcome] = high - weight
        below += weight
    for move in range(n_moves):
        scratch.low[scratch.move_outcome[move]] = 0.0
        scratch.high[scratch.move_outcome[move]] = 0.0
    return best, best_move, best_below, n_cuts


@njit(cache=True, nogil=True)
def gain_of_telling_missing(n_moves, known, counts, whole, scratch):
    """Gain, in nats over all rows, of telling the rows without a value from the others."""
    table = scratch.n_log_n
    for move in range(n_moves):
        scratch.high[scratch.move_outcome[move]] += scratch.move_weight[move]
    within = 0.0
    for outcome in range(counts.shape[0]):
        within += n_log_n(scratch.high[outcome], table)
        within += n_log_n(counts[outcome] - scratch.high[outcome], table)
        scratch.high[outcome] = 0.0
    branches = n_log_n(known, table) + n_log_n(whole.weight - known, table)
    return n_log_n(whole.weight, table) - whole.within - (branches - within)


@njit(cache=True, nogil=True)
def score_numeric(column, moves, counts, whole, columns, rules, scratch):
    """Find the best cut of a numeric column; set gain, gain ratio and cut if worth making."""
    n_moves, n_known = moves
    table = scratch.n_log_n
    known = 0.0
    for move in range(n_moves):
        known += scratch.move_weight[move]
    least = smallest_side(known, counts.shape[0], rules.min_leaf)
    if n_moves == 0 or 2.0 * least - n_known > CLOSE:
        return
    three_way = columns.own_branch[column] and n_known < whole.n_items
    margin = CLOSE * whole.weight * math.log(2.0)
    best, best_move, below, n_cuts = scan_cuts(
        column, n_moves, known, least, columns, margin, -math.inf if three_way else 0.0, scratch
    )
    if best_move < 0:
        return
    if three_way:
        best += gain_of_telling_missing(n_moves, known, counts, whole, scratch)
    gain = (best / math.log(2.0) - math.log2(n_cuts)) / whole.weight
    if gain < CLOSE:
        return
    scratch.gain[column] = gain
    scratch.cut_below[column] = scratch.move_code[best_move - 1]
    scratch.cut_above[column] = scratch.move_code[best_move]
    branches = n_log_n(below, table) + n_log_n(known - below, table)
    if n_known < whole.n_items:
        branches += n_log_n(whole.weight - known, table)
    set_ratio(column, branches, whole.weight, scratch)


@njit(cache=True, nogil=True)
def draw_below(limit, seeds):
    """Draw a whole number below ``limit`` (two combined generators, L'Ecuyer 1988)."""
    seeds[0] = seeds[0] * 40014 % 2147483563
    seeds[1] = seeds[1] * 40692 % 2147483399
    return (seeds[0] + seeds[1]) % limit


@njit(cache=True, nogil=True)
def score_columns(start, stop, counts, columns, items, rules, scratch, seeds):
    """Judge the columns at a node; inadmissible ones get the gain ratio -1.

    With fewer columns per node than there are, columns are drawn without replacement until
    enough are seen and at least one of them is admissible.
    """
    n_columns = columns.codes.shape[0]
    within = 0.0
    weight = 0.0
    for outcome in range(counts.shape[0]):
        weight += counts[outcome]
        within += n_log_n(counts[outcome], scratch.n_log_n)
    whole = Whole(weight, stop - start, within)
    scratch.ratio[:] = -1.0
    found = False
    for seen in range(n_columns):
        column = seen
        if rules.columns_per_node < n_columns:
            if seen >= rules.columns_per_node and found:
                break
            other = seen + draw_below(n_columns - seen, seeds)
            column = scratch.column[other]
            scratch.column[other] = scratch.column[seen]
            scratch.column[seen] = column
        nominal = columns.nominal[column]
        missing = columns.n_codes[column]
        if nominal and columns.own_branch[column]:
            missing += 1
        moves = gather_moves(columns.codes[column], missing, items, start, stop, scratch)
        if nominal:
            score_nominal(column, moves[0], whole, rules, scratch)
        else:
            score_numeric(column, moves, counts, whole, columns, rules, scratch)
        found = found or scratch.ratio[column] >= 0.0


@njit(cache=True, nogil=True)
def choose_column(columns, scratch):
    """Pick the largest gain ratio among the columns of at least mean gain; -1: none."""
    n_columns = columns.codes.shape[0]
    total = 0.0
    n_counted = 0
    for column in range(n_columns):
        if scratch.ratio[column] >= 0.0 and columns.in_mean[column]:
            total += scratch.gain[column]
            n_counted += 1
    if n_counted == 0:
        return -1
    enough = total / n_counted - 1e-3
    best = 0.0
    chosen = -1
    for column in range(n_columns):
        ratio = scratch.ratio[column]
        if scratch.gain[column] >= enough and ratio - best > CLOSE:
            best = ratio
            chosen = column
    return chosen


@njit(cache=True, nogil=True)
def last_code_below(first_value, low, high, limit, slack, values):
    """Find the largest code in low..high whose value is up to the limit, or above by < slack."""
    while low < high:
        middle = (low + high + 1) // 2
        above = values[first_value + middle] - limit
        if above <= 0.0 or above < slack:
            low = middle
        else:
            high = middle - 1
    return low


@njit(cache=True, nogil=True)
def place_threshold(column, columns, scratch):
    """Return the split value and the last code below it.

    The split value is the largest value of the whole training set up to the middle between
    the node's neighbouring values.
    """
    first_value = columns.first_value[column]
    values = columns.values
    low = scratch.cut_below[column]
    high = scratch.cut_above[column]
    lower = values[first_value + low]
    upper = values[first_value + high]
    middle = (lower + upper) / 2.0
    if middle == upper or not math.isfinite(middle):
        middle = lower
    code = last_code_below(first_value, low, high, middle, 0.0, values)
    threshold = values[first_value + code]
    return threshold, last_code_below(first_value, code, high, threshold, CLOSE, values)


@njit(cache=True, nogil=True)
def find_branches(column, last_below, start, stop, columns, items, scratch):
    """Note the branch of each of a node's items in ``scratch.codes``; -1: no branch of its own.

    Returns the number of branches and the number of items without one.
    """
    codes = columns.codes[column]
    missing = columns.n_codes[column]
    own_branch = columns.own_branch[column]
    nominal = columns.nominal[column]
    n_branches = missing if nominal else 2
    unknown_branch = n_branches if own_branch else -1
    n_unknown = 0
    for i in range(start, stop):
        code = codes[items.row[i]]
        if code == missing:
            branch = unknown_branch
            n_unknown += 1
        elif nominal:
            branch = code
        else:
            branch = 0 if code <= last_below else 1
        scratch.codes[i - start] = branch
    if own_branch:
        return n_branches + 1, 0
    return n_branches, n_unknown


@njit(cache=True, nogil=True)
def deal_items(start, stop, children, n_unknown, items, tree, growth, scratch):
    """Rearrange a node's items child by child, and count them there.

    An item without a branch goes down every branch, its weight divided in proportion to the
    weights of the items that have one. Returns where the children's items end.
    """
    first, n_branches = children
    place = scratch.place
    place[: n_branches + 1] = 0
    known = 0.0
    for i in range(stop - start):
        branch = scratch.codes[i]
        if branch >= 0:
            place[branch + 1] += 1
            tree.weight[first + branch] += items.weight[start + i]
            known += items.weight[start + i]
    share = scratch.share
    for branch in range(n_branches):
        share[branch] = tree.weight[first + branch] / known
        if share[branch] > CLOSE:
            place[branch + 1] += n_unknown
        place[branch + 1] += place[branch]
        tree.weight[first + branch] = 0.0
    n_dealt = place[n_branches]
    for i in range(start, stop):
        branch = scratch.codes[i - start]
        outcome = items.outcome[i]
        lowest, highest = (branch, branch + 1) if branch >= 0 else (0, n_branches)
        for target in range(lowest, highest):
            part = 1.0 if branch >= 0 else share[target]
            if part > CLOSE:
                where = place[target]
                place[target] += 1
                weight = items.weight[i] * part
                scratch.row[where] = items.row[i]
                scratch.outcome[where] = outcome
                scratch.weight[where] = weight
                tree.weight[first + target] += weight
                tree.counts[first + target, outcome] += weight
                growth.fragments[first + target, outcome] += 1.0
    items.row[start : start + n_dealt] = scratch.row[:n_dealt]
    items.outcome[start : start + n_dealt] = scratch.outcome[:n_dealt]
    items.weight[start : start + n_dealt] = scratch.weight[:n_dealt]
    return start + n_dealt


@njit(cache=True, nogil=True)
def let_wait(node, start, stop, tree, growth, rules):
    """Put a node on the stack unless it is plainly a leaf: too small, pure or deep enough."""
    weight = tree.weight[node]
    largest = 0.0
    for outcome in range(tree.counts.shape[1]):
        largest = max(largest, tree.counts[node, outcome])
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
def grow_nodes(columns, items, tree, growth, rules, scratch, budget):
    """Split waiting nodes until none is left, the budget is spent, or room is short.

    The budget is counted in cells (items x columns) looked at. A node for which room is short
    stays on the stack, so growing goes on as if nothing had happened once there is room.
    """
    state = growth.state
    n_columns = columns.codes.shape[0]
    while state[N_WAITING] > 0:
        if budget <= 0:
            return PAUSED
        top = state[N_WAITING] - 1
        node = growth.waiting[top]
        start = growth.start[top]
        stop = growth.stop[top]
        budget -= (stop - start) * min(n_columns, rules.columns_per_node)
        first_seed = growth.seeds[0]
        second_seed = growth.seeds[1]
        score_columns(start, stop, tree.counts[node], columns, items, rules, scratch, growth.seeds)
        column = choose_column(columns, scratch)
        if column < 0:
            state[N_WAITING] = top
            continue
        threshold = math.nan
        last_below = 0
        if not columns.nominal[column]:
            threshold, last_below = place_threshold(column, columns, scratch)
        n_branches, n_unknown = find_branches(
            column, last_below, start, stop, columns, items, scratch
        )
        status = DONE
        if state[N_NODES] + n_branches > tree.parent.shape[0]:
            status = NEEDS_NODES
        elif stop + n_unknown * (n_branches - 1) > items.row.shape[0]:
            status = NEEDS_ITEMS
        if status != DONE:
            growth.seeds[0] = first_seed
            growth.seeds[1] = second_seed
            return status
        first = state[N_NODES]
        state[N_NODES] += n_branches
        state[N_WAITING] = top
        tree.first_child[node] = first
        tree.n_children[node] = n_branches
        tree.column[node] = column
        tree.threshold[node] = threshold
        for branch in range(n_branches):
            tree.parent[first + branch] = node
            tree.depth[first + branch] = tree.depth[node] + 1
            tree.branch[first + branch] = branch
        deal_items(start, stop, (first, n_branches), n_unknown, items, tree, growth, scratch)
        end = start
        for branch in range(n_branches):
            let_wait(first + branch, end, start + scratch.place[branch], tree, growth, rules)
            end = start + scratch.place[branch]
    return DONE
