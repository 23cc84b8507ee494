"""Growing a C4.5 tree, depth first, without recursion.

A node's rows are a contiguous piece of ``items``. Splitting a node rearranges its piece into
one piece per child, in place; the pieces wait on a stack, and the one on top is always the
last of the buffer. So a row that is split over several branches simply makes the top piece
longer, and what lies above the top piece is finished.

Numeric columns arrive as ranks of their distinct values, so a node never sorts numbers: it
counts (rank, outcome) pairs in a table where ranks are few, all columns in one pass over the
rows, and sorts small integers where they are many. Both ways give the same list of *moves*,
ascending in rank: (rank, outcome, weight). A scan over the moves updates sum n*ln(n) in
constant time per move.

The kernels are compiled for the type of the weights they are given: whole numbers, as a rule,
which make all sums and look-ups cheap, or floats.

The records are described in :mod:`probtrees.grow.split.growth_records`. Arrays are handed from
kernel to kernel one by one, since every array taken out of a tuple costs counting its
references.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

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

compiled = njit(cache=True, nogil=True, error_model="numpy")
compiled_inner = njit(
    nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True
)
"""Kernels called only by kernels become part of them: no entry from Python, no file of their
own in the cache. Both take long."""


@compiled_inner
def n_log_n(x, table):
    """Return x * ln(x), from the table where x is a whole number."""
    # Weights are nearly always whole numbers, and a look-up is far cheaper than a logarithm.
    whole = int(x)
    if whole == x and whole < table.shape[0]:
        return table[whole]
    if x < CLOSE:
        return 0.0
    return x * math.log(x)


@compiled_inner
def fill_tables(node, n_tabled, items, codes, facts, table):
    """Add a node's rows to the tables of the first columns."""
    for i in range(node.start, node.stop):
        row = items[i].row
        outcome = items[i].outcome
        weight = items[i].weight
        # Columns inside, rows outside: a row's codes lie side by side in memory.
        for column in range(n_tabled):
            table[facts[column].table_start + codes[row, column], outcome] += weight


@compiled_inner
def moves_from_table(fact, table, moves):
    """List the moves of a column from its table, and clear the table."""
    n_outcomes = table.shape[1]
    start = fact.table_start
    n_moves = 0
    # Ascending in code, so nothing is sorted; only cells that were filled are cleared.
    for code in range(fact.n_codes + fact.has_missing):
        for outcome in range(n_outcomes):
            weight = table[start + code, outcome]
            if weight > 0:
                table[start + code, outcome] = 0
                moves[n_moves].code = code
                moves[n_moves].outcome = outcome
                moves[n_moves].weight = weight
                n_moves += 1
    # Unknown rows have the last code. They are a branch only of a nominal split; a numeric one
    # weighs them in tell_missing.
    if not (fact.nominal and fact.own_branch):
        while n_moves > 0 and moves[n_moves - 1].code == fact.n_codes:
            n_moves -= 1
    return n_moves


@compiled_inner
def sort_keys(keys, n_keys, lowest, highest, digits):
    """Sort keys by the code in their upper half; return in which row of ``keys`` they end."""
    side = 0
    # Most nodes of a tree are small, where insertion beats counting digits.
    if n_keys <= FEW:
        for i in range(1, n_keys):
            key = keys[0, i]
            gap = i
            while gap > 0 and keys[0, gap - 1] > key:
                keys[0, gap] = keys[0, gap - 1]
                gap -= 1
            keys[0, gap] = key
        return side
    # Only the range of codes met here is sorted: fewer bits, fewer passes.
    base = lowest << 32
    widest = 6 if n_keys < 256 else RADIX_BITS
    n_bits = 1
    while (highest - lowest) >> n_bits:
        n_bits += 1
    n_passes = (n_bits + widest - 1) // widest
    # Passes of like width: 6 + 6 bits touch fewer counters than 10 + 2.
    width = (n_bits + n_passes - 1) // n_passes
    mask = (np.int64(1) << width) - 1
    for step in range(n_passes):
        shift = 32 + step * width
        for digit in range(mask + 1):
            digits[digit] = 0
        for i in range(n_keys):
            digits[((keys[side, i] - base) >> shift) & mask] += 1
        # Counts become starting places. Equal digits keep their order, which is what lets the
        # passes over higher digits build on the lower ones.
        place = np.int64(0)
        for digit in range(mask + 1):
            count = digits[digit]
            digits[digit] = place
            place += count
        for i in range(n_keys):
            key = keys[side, i]
            digit = ((key - base) >> shift) & mask
            keys[1 - side, digits[digit]] = key
            digits[digit] += 1
        side = 1 - side
    return side


@compiled_inner
def moves_by_sorting(column, node, items, codes, fact, all_weigh_one, keys, digits, moves):
    """List the moves of a column by sorting the node's rows; none if they share one code.

    The lower half of a key is the outcome, all there is to know where every row weighs 1, or
    the place of the item.
    """
    skipped = -1 if fact.nominal and fact.own_branch else fact.n_codes
    n_moves = np.int64(0)
    lowest = fact.n_codes + 1
    highest = np.int64(-1)
    for i in range(node.start, node.stop):
        code = np.int64(codes[items[i].row, column])
        if code != skipped:
            # One integer carries a whole move through the sort: the code above, outcome or place
            # below.
            keys[0, n_moves] = (code << 32) | (items[i].outcome if all_weigh_one else i)
            n_moves += 1
            lowest = min(lowest, code)
            highest = max(highest, code)
    # One code only, or none: there is nothing to split.
    if highest <= lowest:
        return 0
    side = sort_keys(keys, n_moves, lowest, highest, digits)
    for move in range(n_moves):
        key = keys[side, move]
        i = key & 0xFFFFFFFF
        moves[move].code = key >> 32
        moves[move].outcome = i if all_weigh_one else items[i].outcome
        moves[move].weight = 1 if all_weigh_one else items[i].weight
    return n_moves


@compiled_inner
def score_nominal(n_moves, node_weight, min_leaf, moves, sides, table, score):
    """Judge a split with one branch per code. Rows left out of the moves are the unknown ones."""
    for outcome in range(sides.shape[0]):
        sides[outcome].high = 0
    within = 0.0
    branches = 0.0
    # A zero of the weights' own type: a literal 0.0 would make whole numbers floats.
    known = node_weight - node_weight
    n_large = 0
    first = 0
    while first < n_moves:
        before = known
        last = first
        while last < n_moves and moves[last].code == moves[first].code:
            weight = moves[last].weight
            side = sides[moves[last].outcome]
            within += n_log_n(side.low + weight, table) - n_log_n(side.low, table)
            side.low += weight
            side.high += weight
            known += weight
            last += 1
        # Clear what this branch touched; a loop over all outcomes would cost K for every code.
        for move in range(first, last):
            sides[moves[move].outcome].low = 0
        branches += n_log_n(known - before, table)
        if known - before - min_leaf > -CLOSE:
            n_large += 1
        first = last
    # Two branches of min_leaf rows, or no split (Quinlan 1993).
    if n_large < 2:
        return
    # n times an entropy is n ln n - sum n_k ln n_k, so gains are sums of such terms.
    gain = n_log_n(known, table) - (branches - within)
    for outcome in range(sides.shape[0]):
        gain -= n_log_n(sides[outcome].high, table)
    gain /= LN2
    # By all rows, not by the known ones: that is the factor "fraction known" of Quinlan (1993,
    # chapter 3).
    score.gain = 0.0 if abs(gain) < CLOSE else gain / node_weight
    # Split info takes the unknown rows for one more branch.
    info = n_log_n(node_weight, table) - branches - n_log_n(node_weight - known, table)
    info /= LN2
    score.ratio = 0.0 if abs(info) < CLOSE else score.gain / (info / node_weight)


@compiled_inner
def tell_missing(n_moves, node_weight, moves, sides, table):
    """Put the rows that have a value on the high side.

    Returns their weight, and the gain of telling them from the others, in nats over all rows.
    """
    known = node_weight - node_weight
    for outcome in range(sides.shape[0]):
        sides[outcome].high = 0
    for move in range(n_moves):
        known += moves[move].weight
        sides[moves[move].outcome].high += moves[move].weight
    # The gain of the split known / unknown, before any cut.
    gain = n_log_n(node_weight, table) - n_log_n(known, table)
    gain -= n_log_n(node_weight - known, table)
    for outcome in range(sides.shape[0]):
        side = sides[outcome]
        gain += n_log_n(side.high, table) + n_log_n(side.both - side.high, table)
        gain -= n_log_n(side.both, table)
    return known, gain


@compiled_inner
def score_numeric(
    fact, n_moves, n_known, node_weight, min_leaf, values, moves, sides, table, score
):
    """Find the best cut of a numeric column, and note gain, gain ratio and the codes around it.

    Moving the rows one by one below the cut changes sum n*ln(n) over the outcomes of both sides
    by two terms per move. Gains are first those of all known rows together, in nats. A later cut
    must gain more per row by CLOSE bits.
    """
    for outcome in range(sides.shape[0]):
        sides[outcome].high = sides[outcome].both
    known = node_weight
    best = 0.0
    telling = 0.0
    if fact.has_missing:
        known, telling = tell_missing(n_moves, node_weight, moves, sides, table)
        # With a branch for unknown rows the split as a whole may gain although the cut alone does
        # not, so every cut is a candidate.
        if fact.own_branch and node_weight - known > CLOSE:
            best = -math.inf
        else:
            telling = 0.0
    # C4.5 asks each side for a tenth of a class's fair share of the known rows, at least min_leaf
    # and at most 25.
    least = 0.1 * known / sides.shape[0]
    if least - min_leaf < CLOSE:
        least = min_leaf
    elif least - 25.0 > CLOSE:
        least = 25.0
    # As in Weka pieces of split rows count as rows here, else a node of many light pieces would
    # never be cut.
    if 2.0 * least - max(known, n_known) > CLOSE:
        return
    margin = CLOSE * node_weight * LN2
    best_move = -1
    n_cuts = 0
    below = node_weight - node_weight
    best_below = below
    # The gain of a cut is known ln known - below ln below - above ln above plus the change of sum
    # n_k ln n_k over the outcomes of both sides. This holds all but the two middle terms.
    gained = n_log_n(known, table)
    last_code = moves[0].code
    for move in range(n_moves):
        code = moves[move].code
        # A cut lies between two codes, never within one.
        if code != last_code:
            above = known - below
            # The upper side only shrinks from here on.
            if least - above >= CLOSE:
                break
            apart = below - least > -CLOSE
            # Values less than 1e-5 apart are one value to Weka; only tight columns have any.
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
        side = sides[moves[move].outcome]
        weight = moves[move].weight
        gained += n_log_n(side.low + weight, table) - n_log_n(side.low, table)
        gained += n_log_n(side.high - weight, table) - n_log_n(side.high, table)
        side.low += weight
        side.high -= weight
        below += weight
    for outcome in range(sides.shape[0]):
        sides[outcome].low = 0
    if best_move < 0:
        return
    # Choosing among n_cuts cuts costs log2(n_cuts) bits (Quinlan 1996), shared by all
    # rows, unknown ones included.
    gain = ((best + telling) / LN2 - math.log2(n_cuts)) / node_weight
    if gain < CLOSE:
        return
    info = n_log_n(node_weight, table) - n_log_n(best_below, table)
    info -= n_log_n(known - best_below, table) + n_log_n(node_weight - known, table)
    info /= LN2
    score.gain = gain
    score.ratio = 0.0 if abs(info) < CLOSE else gain / (info / node_weight)
    score.below = moves[best_move - 1].code
    score.above = moves[best_move].code


@compiled_inner
def score_column(fact, n_moves, of_node, values, moves, sides, table, score):
    """Judge the split of a node on a column whose moves are listed."""
    n_known, node_weight, min_leaf = of_node
    # One value in all rows of the node: no split, and no admissible column either.
    if n_moves == 0 or moves[0].code == moves[n_moves - 1].code:
        return
    if fact.nominal:
        score_nominal(n_moves, node_weight, min_leaf, moves, sides, table, score)
    else:
        score_numeric(
            fact, n_moves, n_known, node_weight, min_leaf, values, moves, sides, table, score
        )


@compiled_inner
def choose_column(facts, places, scores):
    """Pick the largest gain ratio among the columns of at least mean gain; -1: none.

    Of equal ones the first column of the user's table wins.
    """
    total = 0.0
    n_counted = 0
    for number in range(places.shape[0]):
        column = places[number]
        # Columns with very many values are left out of the mean, but may still be chosen.
        if scores[column].ratio >= 0.0 and facts[column].in_mean:
            total += scores[column].gain
            n_counted += 1
    if n_counted == 0:
        return -1
    # Only columns of about mean gain compete: a split that tells nothing has next to no split info,
    # and any ratio to that is large (Quinlan 1993, chapter 2).
    enough = total / n_counted - 1e-3
    best = 0.0
    chosen = -1
    for number in range(places.shape[0]):
        score = scores[places[number]]
        if score.gain >= enough and score.ratio - best > CLOSE:
            best = score.ratio
            chosen = places[number]
    return chosen


@compiled_inner
def draw_below(limit, seeds):
    """Draw a whole number below ``limit`` (two combined generators, L'Ecuyer 1988)."""
    # Both products stay below 2**47, so no word overflows.
    seeds[0] = seeds[0] * 40014 % 2147483563
    seeds[1] = seeds[1] * 40692 % 2147483399
    return (seeds[0] + seeds[1]) % limit


@compiled_inner
def last_code_up_to(limit, slack, low, high, start, values):
    """Find the last code in low..high-1 whose value exceeds the limit not at all or by < slack."""
    while high - low > 1:
        middle = (low + high) // 2
        above = values[start + middle] - limit
        if above <= 0.0 or above < slack:
            low = middle
        else:
            high = middle
    return low


@compiled_inner
def place_threshold(fact, score, values, slack):
    """Return the split value and the last code below it.

    The split value is the largest value of the whole training set up to the middle between
    the node's neighbouring values; a value above it by less than CLOSE still lies below.
    """
    start = fact.value_start
    code = score.below
    upper = values[start + score.above]
    middle = (values[start + code] + upper) / 2.0
    # Where the middle rounds to the upper value, or overflows, the lower value is the cut.
    if middle < upper and math.isfinite(middle):
        code = last_code_up_to(middle, slack, code, score.above, start, values)
    threshold = values[start + code]
    return threshold, last_code_up_to(threshold, CLOSE, code, score.above, start, values)


@compiled_inner
def find_branches(column, last_below, node, items, codes, fact, branch_of):
    """Note the branch of each of a node's items; -1: its value leads nowhere.

    Returns the number of branches and the number of items without one.
    """
    nominal = fact.nominal
    missing = fact.n_codes
    n_branches = fact.n_codes if nominal else 2
    unknown_branch = n_branches if fact.own_branch else -1
    n_unknown = 0
    for i in range(node.start, node.stop):
        code = codes[items[i].row, column]
        # The code of a missing value is the number of declared codes.
        if code == missing:
            branch_of[i - node.start] = unknown_branch
            n_unknown += 1
        elif nominal:
            branch_of[i - node.start] = code
        else:
            branch_of[i - node.start] = 0 if code <= last_below else 1
    if fact.own_branch:
        return n_branches + 1, 0
    return n_branches, n_unknown


@compiled_inner
def deal_items(start, stop, n_branches, n_unknown, items, branch_of, branches, dealt):
    """Rearrange a node's items child by child; ``branches`` notes where each child's end.

    An item without a branch goes down every branch, its weight divided in proportion to the
    weights of the items that have one.
    """
    for branch in range(n_branches + 1):
        branches[branch].place = 0
        branches[branch].share = 0.0
    known = 0.0
    for i in range(stop - start):
        branch = branch_of[i]
        if branch >= 0:
            # Counted one branch further on, so that adding up gives where each branch starts.
            branches[branch + 1].place += 1
            branches[branch].share += items[start + i].weight
            known += items[start + i].weight
    for branch in range(n_branches):
        branches[branch].share /= known
        # A branch without known rows gets no pieces of unknown ones: they would weigh nothing.
        if branches[branch].share > CLOSE:
            branches[branch + 1].place += n_unknown
        branches[branch + 1].place += branches[branch].place
    n_dealt = branches[n_branches].place
    for i in range(stop - start):
        branch = branch_of[i]
        item = items[start + i]
        # A known item goes down one branch, an unknown one down all of them.
        last = branch + 1 if branch >= 0 else n_branches
        for target in range(max(branch, 0), last):
            part = 1.0 if branch >= 0 else branches[target].share
            if part > CLOSE:
                where = branches[target].place
                branches[target].place = where + 1
                dealt[where].row = item.row
                dealt[where].outcome = item.outcome
                dealt[where].weight = item.weight * part
    # By now each place has moved on to where its branch ends, which the caller reads.
    for i in range(n_dealt):
        items[start + i] = dealt[i]


@compiled_inner
def add_node(node, start, stop, items, tree, growth, rules):
    """Count a new node's items; let it wait unless it is plainly a leaf.

    That is: too small, pure or deep enough.
    """
    counts = tree.counts
    fragments = growth.fragments
    weight = 0.0
    for i in range(start, stop):
        counts[node, items[i].outcome] += items[i].weight
        # A piece of a row counts as one here; only figures as published ask for it.
        fragments[node, items[i].outcome] += 1.0
        weight += items[i].weight
    tree.weight[node] = weight
    largest = 0.0
    for outcome in range(counts.shape[1]):
        largest = max(largest, counts[node, outcome])
    if (
        2.0 * rules.min_leaf - weight <= CLOSE
        and weight - largest >= CLOSE
        and tree.depth[node] < rules.max_depth
    ):
        # A stack, so growing is depth first and the top piece is the last of the buffer.
        top = growth.state[N_WAITING]
        growth.waiting[top].node = node
        growth.waiting[top].start = start
        growth.waiting[top].stop = stop
        growth.state[N_WAITING] = top + 1


@compiled_inner
def score_columns(node, counts, items, columns, rules, seeds, scratch):
    """Judge the columns at a node.

    With fewer columns per node than there are, columns are drawn without replacement until
    enough are seen and at least one of them is admissible.
    """
    codes = columns.codes
    facts = columns.facts
    values = columns.values
    n_log_n_table = scratch.n_log_n
    table = scratch.table
    keys = scratch.keys
    digits = scratch.digits
    sides = scratch.sides
    moves = scratch.moves
    scores = scratch.scores
    order = scratch.order
    n_columns = order.shape[0]
    # Between two columns all low sides are empty: a zero of the weights' type again.
    node_weight = sides[0].low
    for outcome in range(sides.shape[0]):
        sides[outcome].both = counts[outcome]
        node_weight += sides[outcome].both
    draws = rules.columns_per_node < n_columns
    n_tabled = 0
    if not draws:
        # Columns come by ascending number of codes, so those with a table are the first ones.
        room = TABLE_SHARE * (node.stop - node.start) // sides.shape[0]
        while n_tabled < rules.n_tabled and facts[n_tabled].n_codes <= room:
            n_tabled += 1
        fill_tables(node, n_tabled, items, codes, facts, table)
    for column in range(n_columns):
        scores[column].ratio = -1.0
    found = False
    for seen in range(n_columns):
        column = seen
        if draws:
            if seen >= rules.columns_per_node and found:
                break
            # One step of Fisher and Yates's shuffle: order[:seen] holds the columns drawn so far.
            other = seen + draw_below(n_columns - seen, seeds)
            column = order[other]
            order[other] = order[seen]
            order[seen] = column
        fact = facts[column]
        score = scores[column]
        if column < n_tabled:
            n_moves = moves_from_table(fact, table, moves)
        else:
            n_moves = moves_by_sorting(
                column, node, items, codes, fact, rules.all_weigh_one, keys, digits, moves
            )
        # Rows, not their weights: a numeric split asks for both.
        n_known = node.stop - node.start
        if fact.has_missing and not fact.nominal:
            for i in range(node.start, node.stop):
                if codes[items[i].row, column] == fact.n_codes:
                    n_known -= 1
        of_node = (n_known, node_weight, rules.min_leaf)
        score_column(fact, n_moves, of_node, values, moves, sides, n_log_n_table, score)
        found = found or score.ratio >= 0.0


@compiled
def grow_nodes(columns, items, tree, growth, rules, scratch, budget):
    """Split waiting nodes until none is left, the budget is spent, or room is short.

    The budget is counted in cells (items x columns) looked at. A node for which room is short
    stays on the stack, so growing goes on as if nothing had happened once there is room.
    """
    state = growth.state
    seeds = growth.seeds
    branches = scratch.branches
    if state[N_NODES] == 0:
        add_node(state[N_NODES], state[N_WAITING], rules.n_items, items, tree, growth, rules)
        state[N_NODES] = 1
    while state[N_WAITING] > 0:
        # Between two nodes is the only place to pause: the caller looks for a wish to cancel.
        if budget <= 0:
            return PAUSED
        waiting = growth.waiting[state[N_WAITING] - 1]
        node = waiting.node
        start = waiting.start
        stop = waiting.stop
        budget -= (stop - start) * rules.columns_per_node
        # Kept for the case that room is short: the node must draw the same columns again.
        first_seed = seeds[0]
        second_seed = seeds[1]
        score_columns(waiting, tree.counts[node], items, columns, rules, seeds, scratch)
        column = choose_column(columns.facts, columns.places, scratch.scores)
        if column < 0:
            state[N_WAITING] -= 1
            continue
        fact = columns.facts[column]
        threshold = math.nan
        last_below = np.int64(0)
        if not fact.nominal:
            threshold, last_below = place_threshold(
                fact, scratch.scores[column], columns.values, rules.middle_slack
            )
        n_branches, n_unknown = find_branches(
            column, last_below, waiting, items, columns.codes, fact, scratch.branch_of
        )
        first = state[N_NODES]
        status = DONE
        if first + n_branches > tree.parent.shape[0]:
            status = NEEDS_NODES
        # Every unknown row may become one item per branch.
        elif stop + n_unknown * (n_branches - 1) > items.shape[0]:
            status = NEEDS_ITEMS
        if status != DONE:
            seeds[0] = first_seed
            seeds[1] = second_seed
            return status
        state[N_NODES] += n_branches
        state[N_WAITING] -= 1
        tree.first_child[node] = first
        tree.n_children[node] = n_branches
        # Columns were sorted by number of codes; the tree has the numbers of the user's table.
        tree.column[node] = fact.number
        tree.threshold[node] = threshold
        deal_items(
            start, stop, n_branches, n_unknown, items, scratch.branch_of, branches, scratch.dealt
        )
        end = start
        for branch in range(n_branches):
            child = first + branch
            tree.parent[child] = node
            tree.depth[child] = tree.depth[node] + 1
            tree.branch[child] = branch
            child_stop = start + branches[branch].place
            add_node(child, end, child_stop, items, tree, growth, rules)
            end = child_stop
    return DONE


@compiled
def choose_splits(tables, counts, columns, min_leaf, scratch, splits):
    """Choose the splits of several nodes from how often each code meets each outcome.

    ``tables[i]`` holds node i's rows as the tables of :func:`fill_tables` do, all columns one
    below the other, and ``counts[i]`` its outcomes. All rows weigh 1.
    """
    facts = columns.facts
    table = scratch.table
    sides = scratch.sides
    moves = scratch.moves
    scores = scratch.scores
    for node in range(tables.shape[0]):
        # A copy, since listing the moves empties the table.
        table[:] = tables[node]
        node_weight = sides[0].low
        for outcome in range(sides.shape[0]):
            sides[outcome].both = counts[node, outcome]
            node_weight += sides[outcome].both
        for column in range(facts.shape[0]):
            fact = facts[column]
            score = scores[column]
            score.ratio = -1.0
            n_moves = moves_from_table(fact, table, moves)
            n_known = 0
            # All rows weigh 1, so their weight is their number.
            for move in range(n_moves):
                n_known += moves[move].weight
            of_node = (n_known, node_weight, min_leaf)
            score_column(
                fact, n_moves, of_node, columns.values, moves, sides, scratch.n_log_n, score
            )
        column = choose_column(facts, columns.places, scores)
        splits[node].column = column
        splits[node].threshold = math.nan
        splits[node].last_below = -1
        if column >= 0 and not facts[column].nominal:
            threshold, last_below = place_threshold(
                facts[column], scores[column], columns.values, 0.0
            )
            splits[node].threshold = threshold
            splits[node].last_below = last_below
