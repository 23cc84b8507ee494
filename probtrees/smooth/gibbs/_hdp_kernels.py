"""The compiled twin of hdp.py: one sweep of the sampler, and the random numbers it needs.

A random generator is a pair of 64-bit words that every draw takes and returns, so that it
stays in registers: ``u, rng = uniform(rng)``.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

ROOT_CONCENTRATION = 2.0
DIRECT_SEATS = 32
"""Customers up to this one are asked one by one whether they opened a table."""
MANY_SEATS = 256
MANY_FROM_VARIANCE = 64.0
"""More customers' tables are drawn by their moments if the variance of their number is this."""

_STIRLING_FROM = 16
# Stirling's series serves above: its error is below 1e-11 there.

_UNIT = 1.0 / 9007199254740992.0  # 2**-53
_NORMAL_TAIL = 3.442619855899
# Reflect a concentration about its conditional mean instead of drawing it afresh: the pair
# (concentration, pseudo-counts) then needs half as many sweeps to forget where it was.
_REFLECT = 0.9
_RENEW = math.sqrt(1.0 - _REFLECT**2)
_LEAST, _MOST = 1e-9, 1e9
CROWDED = 32.0
"""Tables per degree of freedom from which a concentration is also drawn with tables summed out."""
LEAST_SHAPE = 1e-12
"""Dirichlet and Beta shapes are at least this, where a parent's probability is 0 in 32 bits."""
_ACCEPTED = 0.44
# The share of accepted proposals at which a random walk in one dimension moves furthest.


def _normal_layers() -> np.ndarray:
    """Right edges of 128 layers of equal area under exp(-x*x/2) (Marsaglia and Tsang 2000)."""
    area = 9.91256303526217e-3
    edges = np.zeros(129)
    edges[0] = area * math.exp(0.5 * _NORMAL_TAIL**2)
    edges[1] = _NORMAL_TAIL
    for i in range(2, 128):
        edges[i] = math.sqrt(
            -2.0 * math.log(area / edges[i - 1] + math.exp(-0.5 * edges[i - 1] ** 2))
        )
    return edges


_NORMAL = _normal_layers()


@njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
def _bits(rng):
    """Draw 64 random bits (xoroshiro128++ of Blackman and Vigna)."""
    a, b = rng
    total = a + b
    word = ((total << np.uint64(17)) | (total >> np.uint64(47))) + a
    b ^= a
    a = ((a << np.uint64(49)) | (a >> np.uint64(15))) ^ b ^ (b << np.uint64(21))
    b = (b << np.uint64(28)) | (b >> np.uint64(36))
    return word, (a, b)


@njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
def _uniform(rng):
    # The upper 53 bits: all that a number in [0, 1) can hold.
    word, rng = _bits(rng)
    return (word >> np.uint64(11)) * _UNIT, rng


@njit(cache=True, nogil=True, error_model="numpy")
def _exponential(rng):
    # u may be 0 but never 1, so the logarithm is of 1 - u.
    u, rng = _uniform(rng)
    return -math.log1p(-u), rng


@njit(cache=True, nogil=True, error_model="numpy")
def _normal_edge(word, rng):
    """Finish a normal draw that fell outside the inner part of its layer."""
    while True:
        layer = np.int64(word & np.uint64(127))
        x = ((word >> np.uint64(11)) * (2.0 * _UNIT) - 1.0) * _NORMAL[layer]
        if abs(x) < _NORMAL[layer + 1]:
            return x, rng
        # The lowest layer has no edge: it is the tail, drawn by rejection from an exponential
        # (Marsaglia 1964).
        if layer == 0:
            while True:
                beyond, rng = _exponential(rng)
                beyond /= _NORMAL_TAIL
                height, rng = _exponential(rng)
                if 2.0 * height > beyond * beyond:
                    return math.copysign(_NORMAL_TAIL + beyond, x), rng
        u, rng = _uniform(rng)
        # Within the step between two edges a height is drawn and the density itself decides.
        low = math.exp(-0.5 * _NORMAL[layer] ** 2)
        if low + u * (math.exp(-0.5 * _NORMAL[layer + 1] ** 2) - low) < math.exp(-0.5 * x * x):
            return x, rng
        word, rng = _bits(rng)


@njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
def _normal(rng):
    # One word is enough: 7 low bits choose the layer, 53 high ones the place in it. Nearly 99 of
    # 100 draws need no density.
    word, rng = _bits(rng)
    layer = np.int64(word & np.uint64(127))
    x = ((word >> np.uint64(11)) * (2.0 * _UNIT) - 1.0) * _NORMAL[layer]
    if abs(x) < _NORMAL[layer + 1]:
        return x, rng
    return _normal_edge(word, rng)


@njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
def _gamma(shape, rng):
    """Draw from Gamma(shape, 1), shape >= 1 (Marsaglia and Tsang 2000).

    Their squeeze 1 - 0.0331 x**4 is for shape 1; it grows tighter with 1/d.
    """
    d = shape - 1.0 / 3.0
    width = 1.0 / (3.0 * math.sqrt(d))
    while True:
        x, rng = _normal(rng)
        u, rng = _uniform(rng)
        # A Gamma is close to the cube of a normal (Wilson and Hilferty 1931).
        v = 1.0 + width * x
        v = v * v * v
        x *= x
        # The squeeze accepts nearly always, without a logarithm.
        if u * d > 0.02206 * x * x:
            return d * v, rng
        if v > 0.0 and math.log1p(-u) < 0.5 * x + d * (1.0 - v + math.log(v)):
            return d * v, rng


@njit(cache=True, nogil=True, error_model="numpy")
def _many_tables(seat, n, mass, rng):
    """Count the tables that very many customers open, by the moments of their number.

    It is a sum of independent trials with chances p = mass / (mass + i). Its mean, variance
    and skewness are sums of p, p**2 and p**3, that is differences of polygamma functions, whose
    series are accurate to 1e-10 from 32 on. A normal draw is bent to that skewness (Cornish
    and Fisher 1938).

    Returns
    -------
    tables : -1 if too much depends on single customers to do so
    """
    low = mass + seat
    high = mass + n
    # Sums of 1 / (mass + i)**r over the customers, r = 1, 2, 3, as differences of the asymptotic
    # series of the polygamma functions.
    a = 1.0 / low
    b = 1.0 / high
    logs = math.log1p((n - seat) * a) + 0.5 * (a - b) + (a * a - b * b) / 12.0
    squares = a - b + 0.5 * (a * a - b * b) + (a * a * a - b * b * b) / 6.0
    cubes = 0.5 * (a * a - b * b + a * a * a - b * b * b + 0.5 * (a**4 - b**4))
    mean = mass * logs
    square = mass * mass * squares
    variance = mean - square
    # With few tables single customers matter, and the exact ways below are short.
    if variance < MANY_FROM_VARIANCE:
        return np.int64(-1), rng
    skewness = (mean - 3.0 * square + 2.0 * mass**3 * cubes) / variance**1.5
    z, rng = _normal(rng)
    # Rounding to a whole number adds 1/12 to the variance.
    bent = z + skewness * (z * z - 1.0) / 6.0
    drawn = math.floor(mean + math.sqrt(variance - 1.0 / 12.0) * bent + 0.5)
    return np.int64(min(max(drawn, 0.0), n - seat)), rng


@njit(cache=True, nogil=True, error_model="numpy")
def _joiners(seat, n, mass, rng):
    """Count the customers seat+1 to n who open no table, where nearly all of them do.

    Customer i joins a table with probability i / (mass + i), at most that of the last one: we
    jump from candidate to candidate and thin them.
    """
    most = (n - 1) / (mass + n - 1)
    joined = 0
    at = seat - 1.0
    while True:
        e, rng = _exponential(rng)
        # Geometric: how many customers pass before the next candidate.
        at += 1.0 + math.floor(-e / math.log1p(-most))
        if at >= n:
            return joined, rng
        u, rng = _uniform(rng)
        # Candidates were proposed at the largest chance; keep this one by its own.
        joined += np.int64(u * most * (mass + at) < at)


@njit(cache=True, nogil=True, error_model="numpy")
def _tables_from(seat, n, mass, rng):
    """Count the tables that customers seat+1 to n open (the first customer has number 0).

    Customer i opens one with probability mass / (mass + i). Once i exceeds the mass we
    jump from table to table: points of a process of rate mass/x on the interval
    (i - 1/2, i + 1/2) are thinned so that at least one remains with that probability. Where
    that would be many steps the number is drawn as a whole.
    """
    tables = 0
    if n - seat > MANY_SEATS:
        tables, rng = _many_tables(seat, n, mass, rng)
        if tables >= 0:
            return tables, rng
        if mass >= n:
            joined, rng = _joiners(seat, n, mass, rng)
            return n - seat - joined, rng
        tables = 0
    # While opening is more likely than joining, one coin each is the shortest way.
    while seat < n and seat < mass:
        u, rng = _uniform(rng)
        tables += np.int64(u * (mass + seat) < mass)
        seat += 1
    if seat >= n:
        return tables, rng
    # In log x a process of rate mass / x has a constant rate: jumps are exponential.
    at = math.log(seat - 0.5)
    end = math.log(n - 0.5)
    while True:
        e, rng = _exponential(rng)
        at += e / mass
        if at >= end:
            return tables, rng
        i = math.floor(math.exp(at) + 0.5)
        u, rng = _uniform(rng)
        # Thin by log(1 + mass / i) / (mass log((i + 1/2) / (i - 1/2))). The first test is a bound
        # without logarithms that decides nearly always.
        if u * (1.0 + 0.1 / (i * i)) * (i + 0.5 * mass) <= i or u * mass * math.log(
            (i + 0.5) / (i - 0.5)
        ) < math.log1p(mass / i):
            tables += 1
            # One customer opens one table: go on behind this one.
            at = math.log(i + 0.5)


@njit(cache=True, nogil=True, error_model="numpy")
def _seat_leaves(seats, counts, probs, concentration, tables, rng):
    """Draw how many tables the leaves' customers open; their parents count them."""
    trial_cell = seats.trial_cell
    trial_seat = seats.trial_seat
    for group in range(concentration.shape[0]):
        c = concentration[group]
        opened = 0
        # The first customers of all leaves are laid end to end, so this loop, where most of the
        # time goes, has no inner one.
        for trial in range(seats.trial_first[group], seats.trial_first[group + 1]):
            cell = trial_cell[trial]
            mass = c * probs[cell]
            u, rng = _uniform(rng)
            # Antoniak (1974): customer i opens a table with chance mass / (mass + i). The
            # comparison is used as a number, since a branch on chance is never predicted, and
            # multiplied out, since dividing is slow.
            opens = np.int64(u * (mass + trial_seat[trial]) < mass)
            counts[cell] += opens
            opened += opens
        for tail in range(seats.tail_first[group], seats.tail_first[group + 1]):
            cell = seats.tail_cell[tail]
            mass = c * probs[cell]
            opens, rng = _tables_from(DIRECT_SEATS, seats.tail_count[tail], mass, rng)
            counts[cell] += opens
            opened += opens
        tables[group] = opened
    return rng


@njit(cache=True, nogil=True, error_model="numpy")
def _seat_inner(cells, counts, totals, probs, concentration, tables, rng):
    """Pass tables up from inner node to inner node, deepest first."""
    # Backwards is upwards in level order: when a node's turn comes, all tables of its children have
    # been counted.
    for node in range(totals.shape[0] - 1, -1, -1):
        group = cells.group[node]
        c = concentration[group]
        total = 0
        opened = 0
        for j in range(cells.first[node], cells.first[node + 1]):
            n = counts[j]
            total += n
            # Above the root lies the uniform, which counts nothing.
            if node == 0:
                continue
            up = cells.up[j]
            mass = c * probs[up]
            # Only outcomes met below a node have a cell, so there is a first customer, who always
            # opens a table.
            opens = 1
            for seat in range(1, min(n, DIRECT_SEATS)):
                u, rng = _uniform(rng)
                opens += np.int64(u * (mass + seat) < mass)
            if n > DIRECT_SEATS:
                more, rng = _tables_from(DIRECT_SEATS, n, mass, rng)
                opens += more
            counts[up] += opens
            opened += opens
        totals[node] = total
        # The c of one table cancels against the first factor of the rising factorial c (c + 1) ...,
        # see _log_density.
        tables[group] += max(opened - 1, 0)
    return rng


@njit(cache=True, nogil=True, error_model="numpy")
def _match_gamma(c, tables, rate, short, long, longest, n_long):
    """Find the Gamma whose log density bends like the concentration's at c."""
    # Sums of 1 / (c + i) and of its square from i = 16 on, by the midpoint rule.
    start = c + _STIRLING_FROM - 0.5
    first = 0.0
    second = 0.0
    for j in range(n_long):
        end = c + long[j] - 0.5
        first += math.log(end / start)
        second += 1.0 / start - 1.0 / end
    # Downwards, repeats counts the nodes that have the factor c + i - 1.
    repeats = 0
    for i in range(longest, 1, -1):
        repeats += short[i]
        if i == _STIRLING_FROM:
            repeats += n_long
        inverse = 1.0 / (c + (i - 1))
        first += repeats * inverse
        second += repeats * inverse * inverse
    # In log c a Gamma(shape, rate) has the log density shape log c - rate c: slope and bend at c
    # determine both.
    return max(tables - c * c * second, 1.0), rate + first - c * second


@njit(cache=True, nogil=True, error_model="numpy")
def _log_gamma(z):
    """Stirling's series for z >= 16, without the constant."""
    per = 1.0 / z
    square = per * per
    series = per * (1.0 / 12.0 - square * (1.0 / 360.0 - square * (1.0 / 1260.0)))
    return (z - 0.5) * math.log(z) - z + series


@njit(cache=True, nogil=True, error_model="numpy")
def _log_density(c, tables, rate, short, long, longest, n_long):
    """Log density of log c: c**tables * exp(-rate c) / prod over nodes (c+1)...(c+total-1)."""
    value = tables * math.log(c) - rate * c
    product = 1.0
    log_rising = 0.0
    for i in range(2, longest + 1):
        # One logarithm for 16 factors: c is at most 1e9, so their product is a number.
        product *= c + (i - 1)
        if i % _STIRLING_FROM == 0:
            log_rising += math.log(product)
            product = 1.0
            # The first 16 factors are exact, the rest is a difference of Stirling's series.
            if i == _STIRLING_FROM and n_long > 0:
                base = log_rising - _log_gamma(c + i)
                for j in range(n_long):
                    value -= base + _log_gamma(c + long[j])
        if short[i] > 0:
            value -= short[i] * (log_rising + math.log(product))
    return value


@njit(cache=True, nogil=True, error_model="numpy")
def _draw_concentrations(groups, totals, concentration, tables, prior, learning, rng):
    """Draw every concentration given the totals and tables of its group's nodes.

    The proposal is a Gamma matched to the density, starting from an anchor that does not
    depend on the present value, and drawn as in :func:`_gamma` but with its normal
    reflected; a Metropolis step makes it exact. During burn-in only, anchors learn where
    the concentrations lie, and one that lies far off its density is brought there.
    """
    short = groups.short
    long = groups.long
    for group in range(concentration.shape[0]):
        # Totals up to the limit are counted, since many nodes share them; the others are listed.
        limit = groups.limit[group]
        longest = 1
        n_long = np.int64(0)
        for j in range(groups.total_first[group], groups.total_first[group + 1]):
            total = groups.total_size[j]
            if total <= limit:
                short[total] += groups.total_repeats[j]
                longest = max(longest, total)
            else:
                for _ in range(groups.total_repeats[j]):
                    long[n_long] = total
                    n_long += 1
        for node in range(groups.inner_first[group], groups.inner_first[group + 1]):
            total = totals[node]
            if total <= limit:
                short[total] += 1
                longest = max(longest, total)
            else:
                long[n_long] = total
                n_long += 1
        if n_long > 0:
            longest = max(longest, _STIRLING_FROM)
        power = prior[0] + groups.sure_tables[group] + tables[group]
        rate = prior[1]
        # Newton's steps to the mode. They start from the anchor, never from the present value: a
        # proposal that depended on it would not be reversible.
        mode = math.exp(groups.anchor[group])
        c = 0.0
        shape = pull = 1.0
        for _ in range(8):
            c = mode
            shape, pull = _match_gamma(c, power, rate, short, long, longest, n_long)
            mode = shape / pull
            if abs(mode - c) < 0.02 * c:
                break
        d = shape - 1.0 / 3.0
        width = 3.0 * math.sqrt(d)
        c = concentration[group]
        # Where the present value lies on the normal scale of the proposal (see _gamma).
        y = math.exp(math.log(c * pull / d) / 3.0)
        z = (y - 1.0) * width
        if learning > 0.0 and abs(z) > 5.0:
            c = d / pull
            y = 1.0
            z = 0.0
        x, rng = _normal(rng)
        e, rng = _exponential(rng)
        # Overrelaxation (Adler 1981): keeps a standard normal what it is, but lands on the other
        # side of the mean.
        new_z = _RENEW * x - _REFLECT * z
        new_y = 1.0 + new_z / width
        new = d / pull * new_y * new_y * new_y
        if new_y > 0.0 and _LEAST < new < _MOST:
            # Metropolis and Hastings. In log c the proposal has the density exp(-z z / 2) y, up to
            # a constant: dz / dlog c = width y / 3.
            log_ratio = math.log(y / new_y) + 0.5 * (new_z * new_z - z * z)
            log_ratio += _log_density(new, power, rate, short, long, longest, n_long)
            log_ratio -= _log_density(c, power, rate, short, long, longest, n_long)
            # -e is the logarithm of a uniform draw.
            if log_ratio > -e:
                c = new
        concentration[group] = c
        if learning > 0.0:
            groups.anchor[group] += learning * (math.log(c) - groups.anchor[group])
        # The next group finds the counts empty.
        for i in range(longest + 1):
            short[i] = 0
    return rng


@njit(cache=True, nogil=True, error_model="numpy")
def _summed_density(log_c, group, plan, draws, prior):
    """Log density of log c given the inner nodes' probabilities q, all tables summed out.

    A leaf has a Dirichlet-multinomial density around its parent's q, an inner node a
    Dirichlet one. Outcomes that nobody below an inner node has are one outcome together.
    """
    cells, groups, leaves = plan.cells, plan.groups, plan.leaf_counts
    c = math.exp(log_c)
    own = math.lgamma(c)
    # The seated leaf outcomes of one row and the leaves of one row: c q and 1 / c.
    value = (prior[0] + leaves.ones[group]) * log_c - prior[1] * c
    # Gamma(c) / Gamma(c + n) of the leaves, those of one size at a time.
    for j in range(groups.total_first[group], groups.total_first[group + 1]):
        value += groups.total_repeats[j] * (own - math.lgamma(c + groups.total_size[j]))
    for j in range(leaves.first[group], leaves.first[group + 1]):
        # Gamma(c q + n_k) / Gamma(c q) of every leaf's outcome with more than one row.
        mass = c * draws.probs[leaves.cell[j]]
        value += math.lgamma(mass + leaves.rows[j]) - math.lgamma(mass)
    for node in range(groups.inner_first[group], groups.inner_first[group + 1]):
        value += own
        for j in range(cells.first[node], cells.first[node + 1]):
            # An inner node's own q is drawn, so its term is the Dirichlet density itself.
            mass = c * draws.probs[cells.up[j]]
            value += mass * math.log(draws.probs[j]) - math.lgamma(mass)
        if draws.rest[0, node] > 0.0:
            mass = c * draws.rest[0, node]
            value += mass * draws.rest[1, node] - math.lgamma(mass)
    return value


@njit(cache=True, nogil=True, error_model="numpy")
def _jump_concentrations(plan, draws, prior, learning, rng):
    """Move the concentrations of crowded groups by a random walk that knows no tables.

    Given T tables a concentration moves by about one part in sqrt(T): where nodes have many
    it creeps. Given probabilities it moves as far as the nodes' differences allow. Both steps
    leave the posterior as it is. Widths are learned during burn-in only.
    """
    groups = plan.groups
    for group in range(draws.concentration.shape[0]):
        if not groups.is_crowded[group]:
            continue
        old = math.log(draws.concentration[group])
        x, rng = _normal(rng)
        e, rng = _exponential(rng)
        new = old + groups.width[group] * x
        accepted = False
        if math.log(_LEAST) < new < math.log(_MOST):
            ratio = _summed_density(new, group, plan, draws, prior)
            ratio -= _summed_density(old, group, plan, draws, prior)
            accepted = ratio > -e
        # The probabilities stay; the tables are drawn again before anything reads them.
        if accepted:
            draws.concentration[group] = math.exp(new)
        # Robbins and Monro: wider after a success, narrower after a refusal.
        if learning > 0.0:
            groups.width[group] *= math.exp(2.0 * learning * (accepted - _ACCEPTED))
    return rng


@njit(cache=True, nogil=True, error_model="numpy")
def _draw_probs(cells, counts, probs, concentration, is_crowded, rest, n_outcomes, rng):
    """Draw every inner node's probabilities given its tables, from the root down.

    Only outcomes met below a node are drawn one by one; the others share what is left.
    Of that ``rest`` keeps what the parent gives them and the logarithm of what they get, in
    crowded groups, whose densities ask for it.
    """
    base = ROOT_CONCENTRATION / n_outcomes
    for node in range(cells.group.shape[0]):
        first = cells.first[node]
        last = cells.first[node + 1]
        c = ROOT_CONCENTRATION if node == 0 else concentration[cells.group[node]]
        left = c
        total = 0.0
        for j in range(first, last):
            mass = base if node == 0 else c * probs[cells.up[j]]
            left -= mass
            # A cell has at least one customer, so the shape is at least 1 as _gamma demands.
            x, rng = _gamma(counts[j] + mass, rng)
            probs[j] = x
            total += x
        rest[0, node] = 0.0
        if last - first < n_outcomes and left > 0.0:
            # A shape below 1: one more, and the draw times u**(1 / shape).
            x, rng = _gamma(left + 1.0, rng)
            e, rng = _exponential(rng)
            total += x * math.exp(-e / left)
            if is_crowded[cells.group[node]]:
                rest[0, node] = left / c
                # With nobody below, these outcomes are all there are.
                rest[1, node] = math.log(x / total) - e / left if last > first else 0.0
        scale = 1.0 / total
        for j in range(first, last):
            probs[j] *= scale
    return rng


@njit(cache=True, nogil=True, error_model="numpy")
def _add_inner(cells, means, counts, totals, concentration, sums):
    """Add the inner nodes' means and mean squares given tables and concentrations.

    mean = (n + c m) / (N + c), square = (n (n+1) + (2n+1) c m + c c s) / ((N+c) (N+c+1)),
    m and s those of the parent; above the root lies the uniform.
    """
    dense = means.counts
    mean = means.mean
    square = means.square
    for j in range(counts.shape[0]):
        dense[cells.entry[j]] = counts[j]
    # All divisions are made here, one per node; the loop over outcomes below has none.
    for node in range(totals.shape[0]):
        c = ROOT_CONCENTRATION if node == 0 else concentration[cells.group[node]]
        size = totals[node] + c
        per_square = 1.0 / (size * (size + 1.0))
        means.factor[0, node] = c
        means.factor[1, node] = per_square * (size + 1.0)
        means.factor[2, node] = per_square
    # In level order, so the parent's mean and square are those of this sweep.
    for i in range(means.up.shape[0]):
        node = means.node[i]
        c = means.factor[0, node]
        n = dense[i]
        pulled = c * mean[means.up[i]]
        squared = c * c * square[means.up[i]]
        m = (n + pulled) * means.factor[1, node]
        s = (n * (n + 1.0) + (2.0 * n + 1.0) * pulled + squared) * means.factor[2, node]
        mean[i] = m
        square[i] = s
        sums[0, i] += m
        sums[1, i] += s


@njit(cache=True, nogil=True, error_model="numpy")
def _add_leaves(slots, mean, square, concentration, size_sums, slot_sums):
    """Add what the leaves' means and mean squares are made of.

    Leaves of one size and group share a class, those under one parent a slot. Their own
    counts enter only at the end.
    """
    pull = slots.pull
    for j in range(pull.shape[1]):
        c = concentration[slots.class_group[j]]
        size = slots.class_size[j] + c
        per_square = 1.0 / (size * (size + 1.0))
        per_size = per_square * (size + 1.0)
        # A leaf's mean is (n + c m) / (N + c): only 1 / (N + c) and c m / (N + c) change from sweep
        # to sweep, and leaves of a class or slot share them.
        size_sums[0, j] += per_size
        size_sums[1, j] += per_square
        pull[0, j] = c * per_size
        pull[1, j] = c * per_square
        pull[2, j] = c * c * per_square
    for i in range(slots.up.shape[0]):
        j = slots.of_class[i]
        m = mean[slots.up[i]]
        slot_sums[0, i] += pull[0, j] * m
        slot_sums[1, i] += pull[1, j] * m
        slot_sums[2, i] += pull[2, j] * square[slots.up[i]]


@njit(cache=True, nogil=True, error_model="numpy")
def _add_path(path, cells, counts, totals, concentration, values):
    """Add what the watched node itself, each ancestor and the uniform give it.

    Row 0 of values is a leaf's own; it stays empty when an inner node is watched.
    """
    n_outcomes = values.shape[1]
    # What is left for the ancestors: the product of c / (N + c) so far.
    share = 1.0
    if path.leaf_group >= 0:
        size = path.leaf_total + concentration[path.leaf_group]
        for k in range(n_outcomes):
            values[0, k] += path.leaf_counts[k] / size
        share = concentration[path.leaf_group] / size
    for i in range(path.inner.shape[0]):
        node = path.inner[i]
        c = ROOT_CONCENTRATION if node == 0 else concentration[cells.group[node]]
        size = totals[node] + c
        for j in range(cells.first[node], cells.first[node + 1]):
            values[i + 1, cells.outcome[j]] += share * counts[j] / size
        share *= c / size
    for k in range(n_outcomes):
        values[path.inner.shape[0] + 1, k] += share / n_outcomes


@njit(cache=True, nogil=True, error_model="numpy")
def _lowered_gamma(shape, x, rng):
    """Draw from Gamma(shape, 1), of any shape, beginning with a normal draw x.

    A shape below 1 is raised by 1 and the draw multiplied by u**(1/shape): most draws of tiny
    shapes are then known to be 0 for all purposes before anything else is drawn.

    Returns
    -------
    value, lowered : the draw is value * exp(-lowered), which may be too small for a number
    """
    lowered = 0.0
    d = shape - 1.0 / 3.0
    if shape < 1.0:
        e, rng = _exponential(rng)
        lowered = e / shape
        # exp(-50) is 0 beside any other draw.
        if lowered > 50.0:
            return 1.0, lowered, rng
        d += 1.0
    width = 1.0 / (3.0 * math.sqrt(d))
    while True:
        v = 1.0 + width * x
        v = v * v * v
        u, rng = _uniform(rng)
        square = x * x
        if v > 0.0 and (
            u * d > 0.02206 * square * square
            or math.log1p(-u) < 0.5 * square + d * (1.0 - v + math.log(v))
        ):
            return d * v, lowered, rng
        x, rng = _normal(rng)


@njit(cache=True, nogil=True, error_model="numpy")
def complete_draws(cells, parent, kept, probs, words):
    """Copy kept draws of inner nodes, and draw what nobody below a node has.

    Such outcomes share what the others leave as a Dirichlet distribution around the parent's
    probabilities says. ``probs`` [n_samples, n_inner, n_outcomes] is filled; ``words`` are
    those of the random generator, before and after.
    """
    rng = (words[0], words[1])
    n_samples, n_inner, n_outcomes = probs.shape
    values = np.empty(n_outcomes)
    lowered = np.empty(n_outcomes)
    for sample in range(n_samples):
        for node in range(n_inner):
            own = probs[sample, node]
            above = probs[sample, parent[node]]
            c = ROOT_CONCENTRATION
            if node > 0:
                c = kept.concentration[sample, cells.group[node]]
            left = 1.0
            values[:] = 0.0
            for j in range(cells.first[node], cells.first[node + 1]):
                own[cells.outcome[j]] = kept.probs[sample, j]
                left -= kept.probs[sample, j]
                # Marks the outcomes that the sampler has drawn.
                values[cells.outcome[j]] = -1.0
            if cells.first[node + 1] - cells.first[node] == n_outcomes:
                continue
            least = np.inf
            for k in range(n_outcomes):
                if values[k] == 0.0:
                    share = 1.0 / n_outcomes if node == 0 else above[k]
                    x, rng = _normal(rng)
                    shape = max(c * share, LEAST_SHAPE)
                    values[k], lowered[k], rng = _lowered_gamma(shape, x, rng)
                    least = min(least, lowered[k])
            total = 0.0
            for k in range(n_outcomes):
                if values[k] > 0.0:
                    # Relative to the largest draw, or all of them could vanish.
                    values[k] *= math.exp(least - lowered[k])
                    total += values[k]
            scale = max(left, 0.0) / total
            for k in range(n_outcomes):
                if values[k] >= 0.0:
                    own[k] = scale * values[k]
    words[0] = rng[0]
    words[1] = rng[1]


@njit(cache=True, nogil=True, error_model="numpy")
def draw_leaves(counts, concentration, above, scores, drawn, words):
    """Draw leaves' probabilities, outcome by outcome, from their Beta distributions.

    A Beta is made of two Gammas, each of a normal draw. Over the samples of a leaf these are
    the normal ``scores`` in some order instead of draws, which makes quantiles steadier (Latin
    hypercube): row 0 of scores for the outcome, row 1 for the others, shifted by chance.

    Parameters
    ----------
    counts : [n_leaves, n_outcomes]
    concentration : [n_leaves, n_samples]
    above : [n_leaves, n_tracked, n_samples], the parents' probabilities
    scores : [2, n_samples]
    drawn : [n_leaves, n_tracked, n_samples], filled
    words : those of the random generator, before and after
    """
    rng = (words[0], words[1])
    n_leaves, n_tracked, n_samples = drawn.shape
    for leaf in range(n_leaves):
        total = 0.0
        for k in range(counts.shape[1]):
            total += counts[leaf, k]
        for k in range(n_tracked):
            word, rng = _bits(rng)
            # Every walk passes all scores once and starts anywhere, from bits of its own.
            i = np.int64(word & np.uint64(0xFFFFFF)) % n_samples
            j = np.int64(word >> np.uint64(40)) % n_samples
            n = counts[leaf, k]
            for sample in range(n_samples):
                c = concentration[leaf, sample]
                pulled = c * above[leaf, k, sample]
                a = max(n + pulled, LEAST_SHAPE)
                b = max(total - n + c - pulled, LEAST_SHAPE)
                # X / (X + Y) of two Gammas is a Beta; only the difference of the logarithms
                # matters.
                first, lowered, rng = _lowered_gamma(a, scores[0, i], rng)
                second, other, rng = _lowered_gamma(b, scores[1, j], rng)
                if lowered != other:
                    # Beyond 700 the exponential overflows, and the probability is 0 anyhow.
                    second *= math.exp(min(lowered - other, 700.0))
                drawn[leaf, k, sample] = first / (first + second)
                i = i + 1 if i + 1 < n_samples else 0
                j = j + 1 if j + 1 < n_samples else 0
    words[0] = rng[0]
    words[1] = rng[1]


@njit(cache=True, nogil=True, error_model="numpy")
def _keep(draws, kept, sweep, n_sweeps):
    """Copy what a sweep drew if it is one of the evenly spaced ones that are kept."""
    n_rows = kept.probs.shape[0]
    # Whole numbers, so that every row is filled exactly once.
    row = sweep * n_rows // n_sweeps
    if (sweep + 1) * n_rows // n_sweeps > row:
        for cell in range(draws.probs.shape[0]):
            kept.probs[row, cell] = draws.probs[cell]
        for group in range(draws.concentration.shape[0]):
            kept.concentration[row, group] = draws.concentration[group]


@njit(cache=True, nogil=True, error_model="numpy")
def run_sweeps(plan, state, path, setting, first_sweep, n_sweeps):
    """Run sweeps first_sweep to first_sweep + n_sweeps - 1 and add up the kept ones."""
    seats, cells, groups, slots, _, sure_counts = plan
    counts, totals, probs, concentration, tables, rest = state.draws
    means = state.means
    sums = state.sums
    n_outcomes = setting.n_outcomes
    n_all = state.trace.shape[0]
    n_traced = state.trace.shape[1] - 1
    rng = (state.rng[0], state.rng[1])
    for sweep in range(first_sweep, first_sweep + n_sweeps):
        # 0 after burn-in: a chain that went on adapting would not have the posterior as its limit.
        learning = 2.0 / (sweep + 3.0) if sweep < max(setting.burn_in, 1) else 0.0
        # The order matters (van Dyk and Park 2008): this step sums the tables out, so they must be
        # drawn next; drawing the concentrations sums the probabilities out, so those must follow
        # it.
        rng = _jump_concentrations(plan, state.draws, setting.prior, learning, rng)
        # What every leaf passes up for sure: its first customers' tables.
        for cell in range(counts.shape[0]):
            counts[cell] = sure_counts[cell]
        rng = _seat_leaves(seats, counts, probs, concentration, tables, rng)
        rng = _seat_inner(cells, counts, totals, probs, concentration, tables, rng)
        # Which groups jump is settled in burn-in as well.
        if learning > 0.0:
            for group in range(concentration.shape[0]):
                if tables[group] > CROWDED * groups.freedom[group]:
                    groups.is_crowded[group] = True
        rng = _draw_concentrations(
            groups, totals, concentration, tables, setting.prior, learning, rng
        )
        rng = _draw_probs(
            cells, counts, probs, concentration, groups.is_crowded, rest, n_outcomes, rng
        )
        total = 0.0
        for group in range(concentration.shape[0]):
            total += concentration[group]
            if group < n_traced:
                state.trace[sweep, group] = concentration[group]
        state.trace[sweep, n_traced] = total / concentration.shape[0]
        # Means given tables and concentrations, not the draws themselves: the same expectation with
        # less noise (Rao and Blackwell).
        if sweep >= setting.burn_in:
            _add_inner(cells, means, counts, totals, concentration, sums.inner)
            _add_leaves(slots, means.mean, means.square, concentration, sums.size, sums.slot)
            for group in range(concentration.shape[0]):
                sums.concentration[group] += concentration[group]
            _keep(state.draws, state.kept, sweep - setting.burn_in, n_all - setting.burn_in)
            if path.inner.shape[0] > 0:
                _add_path(path, cells, counts, totals, concentration, sums.path)
    state.rng[0] = rng[0]
    state.rng[1] = rng[1]
