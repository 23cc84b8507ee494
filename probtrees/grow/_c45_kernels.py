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

TABLE_SHARE = 6
"""Count in a table while it has at most this many cells per row of the node."""

FEW = 20
"""Up to this many keys are sorted by insertion."""

RADIX_BITS = 10
"""The widest digit of the radix sort."""

LN2 = math.log(2.0)

COLUMN_FACTS = np.dtype(
    [
        ("number", np.int64),  # in the user's table
        ("n_codes", np.int64),  # categories or distinct values; the next code means missing
        ("table_start", np.int64),  # where its codes begin in the common table
        ("value_start", np.int64),  # where its distinct values begin
        ("nominal", np.bool_),
        ("has_missing", np.bool_),
        ("own_branch", np.bool_),  # missing values get a branch of their own
        ("in_mean", np.bool_),  # its gain counts in the mean gain
        ("tight", np.bool_),  # some neighbouring values are too close to be cut apart
    ]
)

SCORE = np.dtype(
    [
        ("gain", np.float64),  # in bits
        ("ratio", np.float64),  # -1 where no split is admissible
        ("below", np.int64),  # the codes on both sides of the best cut
        ("above", np.int64),
    ]
)

WAITING = np.dtype([("node", np.int64), ("start", np.int64), ("stop", np.int64)])


class Columns(NamedTuple):
    """The training table as codes, columns with few codes first.

    Attributes
    ----------
    codes : int32[n_rows, n_columns]
    facts : COLUMN_FACTS[n_columns]
    places : int64[n_columns], where each column of the user's table is found here
    values : float64[...], the distinct values of all numeric columns, ascending per column
    """

    codes: NDArray[np.int32]
    facts: np.recarray
    places: NDArray[np.int64]
    values: NDArray[np.float64]


class Items(NamedTuple):
    """Rows, or pieces of rows, in the order of the nodes that hold them."""

    row: NDArray[np.int32]
    outcome: NDArray[np.int32]
    weight: NDArray[np.float64]


class Moves(NamedTuple):
    """Rows of a node in the order of one column. Also room to rearrange items in."""

    code: NDArray[np.int32]
    outcome: NDArray[np.int32]
    weight: NDArray[np.float64]


class Rules(NamedTuple):
    """When to stop, how many columns a node looks at, how many may be counted in tables."""

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
    waiting : WAITING[n], nodes whose split is still to be chosen, and their items
    fragments : float64[n_nodes, n_outcomes], rows that arrived with any weight
    """

    state: NDArray[np.int64]
    seeds: NDArray[np.int64]
    waiting: np.recarray
    fragments: NDArray[np.float64]


class Scratch(NamedTuple):
    """Room to work in; ``table`` and ``low`` are zero between two columns."""

    n_log_n: NDArray[np.float64]
    table: NDArray[np.float64]
    keys: NDArray[np.int64]
    digits: NDArray[np.int64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    scores: np.recarray
    order: NDArray[np.int64]
    branch: NDArray[np.int32]
    place: NDArray[np.int64]
    share: NDArray[np.float64]


@njit(cache=True, nogil=True, error_model="numpy")
def n_log_n(x, table):
    """x * ln(x), from the table where x is a whole number."""
    whole = int(x)
    if whole == x and whole < table.shape[0]:
        return table[whole]
    if x < CLOSE:
        return 0.0
    return x * math.log(x)


@njit(cache=True, nogil=True, error_model="numpy")
def fill_tables(start, stop, n_tabled, items, columns, table):
    """Add a node's rows to the tables of the first columns."""
    rows = items.row
    outcomes = items.outcome
    weights = items.weight
    codes = columns.codes
    facts = columns.facts
    for i in range(start, stop):
        row = rows[i]
        outcome = outcomes[i]
        weight = weights[i]
        for column in range(n_tabled):
            table[facts[column].table_start + codes[row, column], outcome] += weight


@njit(cache=True, nogil=True, error_model="numpy")
def moves_from_table(fact, table, moves):
    """List the moves of a column from its table, and clear the table."""
    codes = moves.code
    outcomes = moves.outcome
    weights = moves.weight
    n_outcomes = table.shape[1]
    start = fact.table_start
    n_moves = 0
    for code in range(fact.n_codes + fact.has_missing):
        for outcome in range(n_outcomes):
            weight = table[start + code, outcome]
            if weight > 0.0:
                table[start + code, outcome] = 0.0
                codes[n_moves] = code
                outcomes[n_moves] = outcome
                weights[n_moves] = weight
                n_moves += 1
    if not (fact.nominal and fact.own_branch):
        while n_moves > 0 and codes[n_moves - 1] == fact.n_codes:
            n_moves -= 1
    return n_moves


@njit(cache=True, nogil=True, error_model="numpy")
def moves_by_sorting(column, start, stop, items, columns, scratch, moves):
    """List the moves of a column by sorting the node's rows; none if they share one code."""
    rows, outcomes, weights = items.row, items.outcome, items.weight
    to_code, to_outcome, to_weight = moves.code, moves.outcome, moves.weight
    codes = columns.codes
    keys = scratch.keys
    fact = columns.facts[column]
    skipped = -1 if fact.nominal and fact.own_branch else fact.n_codes
    n_moves = 0
    lowest = fact.n_codes + 1
    highest = np.int64(-1)
    for i in range(start, stop):
        code = np.int64(codes[rows[i], column])
        if code != skipped:
            keys[0, n_moves] = (code << 32) | i
            n_moves += 1
            lowest = min(lowest, code)
            highest = max(highest, code)
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
        widest = 6 if n_moves < 256 else RADIX_BITS
        n_bits = 1
        while (highest - lowest) >> n_bits:
            n_bits += 1
        n_passes = (n_bits + widest - 1) // widest
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
    for move in range(n_moves):
        key = keys[side, move]
        i = key & 0xFFFFFFFF
        to_code[move] = key >> 32
        to_outcome[move] = outcomes[i]
        to_weight[move] = weights[i]
    return n_moves


@njit(cache=True, nogil=True, error_model="numpy")
def score_nominal(n_moves, node_weight, min_leaf, moves, scratch):
    """Judge a split with one branch per code: gain and gain ratio, or -1 if inadmissible.

    Rows left out of the moves are the unknown ones.
    """
    table, low, high = scratch.n_log_n, scratch.low, scratch.high
    codes, outcomes, weights = moves.code, moves.outcome, moves.weight
    within = 0.0
    branches = 0.0
    known = 0.0
    n_large = 0
    for move in range(n_moves):
        high[outcomes[move]] = 0.0
    first = 0
    while first < n_moves:
        branch_weight = 0.0
        last = first
        while last < n_moves and codes[last] == codes[first]:
            outcome = outcomes[last]
            before = low[outcome]
            low[outcome] = before + weights[last]
            within += n_log_n(low[outcome], table) - n_log_n(before, table)
            high[outcome] += weights[last]
            branch_weight += weights[last]
            last += 1
        for move in range(first, last):
            low[outcomes[move]] = 0.0
        branches += n_log_n(branch_weight, table)
        known += branch_weight
        if branch_weight - min_leaf > -CLOSE:
            n_large += 1
        first = last
    if n_large < 2:
        return 0.0, -1.0
    before = n_log_n(known, table)
    for move in range(n_moves):
        before -= n_log_n(high[outcomes[move]], table)
        high[outcomes[move]] = 0.0
    gain = (before - (branches - within)) / LN2
    gain = 0.0 if abs(gain) < CLOSE else gain / node_weight
    info = n_log_n(node_weight, table) - branches - n_log_n(node_weight - known, table)
    info /= LN2
    return gain, 0.0 if abs(info) < CLOSE else gain / (info / node_weight)


@njit(cache=True, nogil=True, error_model="numpy")
def score_numeric(fact, n_moves, n_known, counts, columns, moves, rules, scratch, score):
    """Find the best cut of a numeric column, and note gain, gain ratio and the codes around it.

    Moving the rows one by one below the cut changes sum n*ln(n) over the outcomes of both sides
    by two terms per move. Gains are first those of all known rows together, in nats. A later cut
    must gain more per row by CLOSE bits.
    """
    table, low, high = scratch.n_log_n, scratch.low, scratch.high
    codes, outcomes, weights = moves.code, moves.outcome, moves.weight
    values = columns.values
    n_outcomes = counts.shape[0]
    node_weight = 0.0
    for outcome in range(n_outcomes):
        node_weight += counts[outcome]
        high[outcome] = counts[outcome]
    known = node_weight
    telling = 0.0
    three_way = False
    if fact.has_missing:
        known = 0.0
        for outcome in range(n_outcomes):
            high[outcome] = 0.0
        for move in range(n_moves):
            known += weights[move]
            high[outcomes[move]] += weights[move]
        # Gain of telling the rows without a value from the others, if they get a branch.
        three_way = fact.own_branch and node_weight - known > CLOSE
        telling = n_log_n(node_weight, table) - n_log_n(known, table)
        telling -= n_log_n(node_weight - known, table)
        for outcome in range(n_outcomes):
            telling += n_log_n(high[outcome], table) - n_log_n(counts[outcome], table)
            telling += n_log_n(counts[outcome] - high[outcome], table)
    least = 0.1 * known / n_outcomes
    if least - rules.min_leaf < CLOSE:
        least = rules.min_leaf
    elif least - 25.0 > CLOSE:
        least = 25.0
    if n_moves == 0 or 2.0 * least - n_known > CLOSE:
        return
    best = -math.inf if three_way else 0.0
    margin = CLOSE * node_weight * LN2
    best_move = -1
    best_below = 0.0
    n_cuts = 0
    below = 0.0
    gained = n_log_n(known, table)
    last_code = codes[0]
    for move in range(n_moves):
        code = codes[move]
        if code != last_code:
            above = known - below
            apart = below - least > -CLOSE and above - least > -CLOSE
            if apart and fact.tight:
                lower = values[fact.value_start + last_code]
                apart = lower + 1e-5 < values[fact.value_start + code]
            if apart:
                n_cuts += 1
                gain = gained - n_log_n(below, table) - n_log_n(above, table)
                if gain - best > margin:
                    best = gain
                    best_move = move
                    best_below = below
            last_code = code
        outcome = outcomes[move]
        weight = weights[move]
        gained += n_log_n(low[outcome] + weight, table) - n_log_n(low[outcome], table)
        gained += n_log_n(high[outcome] - weight, table) - n_log_n(high[outcome], table)
        low[outcome] += weight
        high[outcome] -= weight
        below += weight
    for outcome in range(n_outcomes):
        low[outcome] = 0.0
    if best_move < 0:
        return
    gain = ((best + telling if three_way else best) / LN2 - math.log2(n_cuts)) / node_weight
    if gain < CLOSE:
        return
    info = n_log_n(node_weight, table) - n_log_n(best_below, table)
    info -= n_log_n(known - best_below, table) + n_log_n(node_weight - known, table)
    info /= LN2
    score.gain = gain
    score.ratio = 0.0 if abs(info) < CLOSE else gain / (info / node_weight)
    score.below = codes[best_move - 1]
    score.above = codes[best_move]


@njit(cache=True, nogil=True, error_model="numpy")
def choose_column(columns, scores):
    """Pick the largest gain ratio among the columns of at least mean gain; -1: none.

    Of equal ones the first column of the user's table wins.
    """
    facts = columns.facts
    places = columns.places
    total = 0.0
    n_counted = 0
    for number in range(places.shape[0]):
        column = places[number]
        if scores[column].ratio >= 0.0 and facts[column].in_mean:
            total += scores[column].gain
            n_counted += 1
    if n_counted == 0:
        return -1
    enough = total / n_counted - 1e-3
    best = 0.0
    chosen = -1
    for number in range(places.shape[0]):
        column = places[number]
        if scores[column].gain >= enough and scores[column].ratio - best > CLOSE:
            best = scores[column].ratio
            chosen = column
    return chosen


@njit(cache=True, nogil=True, error_model="numpy")
def draw_below(limit, seeds):
    """Draw a whole number below ``limit`` (two combined generators, L'Ecuyer 1988)."""
    seeds[0] = seeds[0] * 40014 % 2147483563
    seeds[1] = seeds[1] * 40692 % 2147483399
    return (seeds[0] + seeds[1]) % limit


@njit(cache=True, nogil=True, error_model="numpy")
def place_threshold(fact, score, values):
    """Return the split value and the last code below it.

    The split value is the largest value of the whole training set up to the middle between
    the node's neighbouring values; a value above it by less than CLOSE still lies below.
    """
    start = fact.value_start
    code = score.below
    upper = values[start + score.above]
    middle = (values[start + code] + upper) / 2.0
    if middle < upper and math.isfinite(middle):
        while values[start + code + 1] <= middle:
            code += 1
    threshold = values[start + code]
    while code + 1 < score.above and values[start + code + 1] - threshold < CLOSE:
        code += 1
    return threshold, code


@njit(cache=True, nogil=True, error_model="numpy")
def find_branches(column, last_below, start, stop, columns, items, branches):
    """Note the branch of each of a node's items; -1: its value leads nowhere.

    Returns the number of branches and the number of items without one.
    """
    rows = items.row
    codes = columns.codes
    fact = columns.facts[column]
    nominal = fact.nominal
    missing = fact.n_codes
    n_branches = fact.n_codes if nominal else 2
    unknown_branch = n_branches if fact.own_branch else -1
    n_unknown = 0
    for i in range(start, stop):
        code = codes[rows[i], column]
        if code == missing:
            branches[i - start] = unknown_branch
            n_unknown += 1
        elif nominal:
            branches[i - start] = code
        else:
            branches[i - start] = 0 if code <= last_below else 1
    if fact.own_branch:
        return n_branches + 1, 0
    return n_branches, n_unknown


@njit(cache=True, nogil=True, error_model="numpy")
def deal_items(waiting, first, n_branches, n_unknown, items, tree, fragments, scratch, moves):
    """Rearrange a node's items child by child, and count them there.

    An item without a branch goes down every branch, its weight divided in proportion to the
    weights of the items that have one. Leaves in ``scratch.place`` where each child's end.
    """
    rows, outcomes, weights = items.row, items.outcome, items.weight
    to_row, to_outcome, to_weight = moves.code, moves.outcome, moves.weight
    branches, place, share = scratch.branch, scratch.place, scratch.share
    node_weights, counts = tree.weight, tree.counts
    start = waiting.start
    stop = waiting.stop
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
        last = branch + 1 if branch >= 0 else n_branches
        for target in range(max(branch, 0), last):
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


@njit(cache=True, nogil=True, error_model="numpy")
def let_wait(node, start, stop, tree, growth, rules):
    """Put a node on the stack unless it is plainly a leaf: too small, pure or deep enough."""
    weight = tree.weight[node]
    counts = tree.counts
    largest = 0.0
    for outcome in range(counts.shape[1]):
        largest = max(largest, counts[node, outcome])
    if (
        2.0 * rules.min_leaf - weight <= CLOSE
        and weight - largest >= CLOSE
        and tree.depth[node] < rules.max_depth
    ):
        top = growth.state[N_WAITING]
        growth.waiting[top].node = node
        growth.waiting[top].start = start
        growth.waiting[top].stop = stop
        growth.state[N_WAITING] = top + 1


@njit(cache=True, nogil=True, error_model="numpy")
def score_columns(waiting, counts, columns, items, rules, seeds, scratch, moves):
    """Judge the columns at a node.

    With fewer columns per node than there are, columns are drawn without replacement until
    enough are seen and at least one of them is admissible.
    """
    start = waiting.start
    stop = waiting.stop
    codes = columns.codes
    facts = columns.facts
    scores = scratch.scores
    order = scratch.order
    rows = items.row
    n_columns = order.shape[0]
    n_outcomes = counts.shape[0]
    node_weight = 0.0
    for outcome in range(n_outcomes):
        node_weight += counts[outcome]
    draws = rules.columns_per_node < n_columns
    n_tabled = 0
    if not draws:
        room = TABLE_SHARE * (stop - start) // n_outcomes
        while n_tabled < rules.n_tabled and facts[n_tabled].n_codes <= room:
            n_tabled += 1
        fill_tables(start, stop, n_tabled, items, columns, scratch.table)
    for column in range(n_columns):
        scores[column].ratio = -1.0
    found = False
    for seen in range(n_columns):
        column = seen
        if draws:
            if seen >= rules.columns_per_node and found:
                break
            other = seen + draw_below(n_columns - seen, seeds)
            column = order[other]
            order[other] = order[seen]
            order[seen] = column
        fact = facts[column]
        score = scores[column]
        if column < n_tabled:
            n_moves = moves_from_table(fact, scratch.table, moves)
        else:
            n_moves = moves_by_sorting(column, start, stop, items, columns, scratch, moves)
        if fact.nominal:
            score.gain, score.ratio = score_nominal(
                n_moves, node_weight, rules.min_leaf, moves, scratch
            )
        else:
            n_known = stop - start
            if fact.has_missing:
                for i in range(start, stop):
                    if codes[rows[i], column] == fact.n_codes:
                        n_known -= 1
            score_numeric(fact, n_moves, n_known, counts, columns, moves, rules, scratch, score)
        found = found or score.ratio >= 0.0


@njit(cache=True, nogil=True, error_model="numpy")
def grow_nodes(columns, items, tree, growth, rules, scratch, moves, budget):
    """Split waiting nodes until none is left, the budget is spent, or room is short.

    The budget is counted in cells (items x columns) looked at. A node for which room is short
    stays on the stack, so growing goes on as if nothing had happened once there is room.
    """
    state = growth.state
    seeds = growth.seeds
    while state[N_WAITING] > 0:
        if budget <= 0:
            return PAUSED
        waiting = growth.waiting[state[N_WAITING] - 1]
        node = waiting.node
        start = waiting.start
        stop = waiting.stop
        budget -= (stop - start) * rules.columns_per_node
        seeds_before = (seeds[0], seeds[1])
        score_columns(waiting, tree.counts[node], columns, items, rules, seeds, scratch, moves)
        column = choose_column(columns, scratch.scores)
        if column < 0:
            state[N_WAITING] -= 1
            continue
        fact = columns.facts[column]
        threshold = math.nan
        last_below = np.int64(0)
        if not fact.nominal:
            threshold, last_below = place_threshold(fact, scratch.scores[column], columns.values)
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
            seeds[0], seeds[1] = seeds_before
            return status
        state[N_NODES] += n_branches
        state[N_WAITING] -= 1
        tree.first_child[node] = first
        tree.n_children[node] = n_branches
        tree.column[node] = fact.number
        tree.threshold[node] = threshold
        for branch in range(n_branches):
            tree.parent[first + branch] = node
            tree.depth[first + branch] = tree.depth[node] + 1
            tree.branch[first + branch] = branch
        deal_items(
            waiting, first, n_branches, n_unknown, items, tree, growth.fragments, scratch, moves
        )
        end = start
        for branch in range(n_branches):
            let_wait(first + branch, end, start + scratch.place[branch], tree, growth, rules)
            end = start + scratch.place[branch]
    return DONE
