"""Slow, readable twins of the compiled kernels.

Each function here does in plain Python what a kernel does fast, so that a reader can check
it against the formula and a test can check the kernel against it.
"""

import itertools
import math

import numpy as np
from scipy import special


def naive_ece(proba, labels, weights, n_bins=15):
    """Expected calibration error, bin by bin."""
    gap = 0.0
    for b in range(n_bins):
        low, high = b / n_bins, (b + 1) / n_bins
        inside = [
            (weight, max(row), list(row).index(max(row)) == label)
            for row, label, weight in zip(proba, labels, weights, strict=True)
            if low < max(row) <= high
        ]
        gap += abs(sum(weight * (hit - top) for weight, top, hit in inside))
    return gap / sum(weights)


def naive_auc(proba, labels, weights):
    """Hand and Till's M by comparing every pair of rows; two classes: the plain AUC."""

    def chance(i, j):
        wins = total = 0.0
        for row, label, weight in zip(proba, labels, weights, strict=True):
            for other, other_label, other_weight in zip(proba, labels, weights, strict=True):
                if label == i and other_label == j:
                    wins += weight * other_weight * ((row[i] > other[i]) + (row[i] == other[i]) / 2)
                    total += weight * other_weight
        return wins / total

    present = sorted(set(labels))
    if len(present) < 2:
        return None
    if len(proba[0]) == 2:
        return chance(1, 0)
    pairs = [chance(i, j) for i in present for j in present if i != j]
    return sum(pairs) / len(pairs)


def naive_m_estimate(tree, node, strength, base):
    """(n_k + m b_k) / (n + m) at the node, or at its nearest ancestor that has rows."""
    counts = [float(n) for n in tree.arrays.counts[node]]
    total = sum(counts)
    if total == 0 and node > 0:
        return naive_m_estimate(tree, int(tree.arrays.parent[node]), strength, base)
    if total + strength == 0:
        return list(base)
    return [(n + strength * b) / (total + strength) for n, b in zip(counts, base, strict=True)]


def naive_m_branch(tree, node, strength):
    """Walk from the root to the node, each step shrunk towards the one before."""
    path = tree.path(node)
    n_rows = float(tree.arrays.counts[0].sum())
    estimate = [1 / tree.n_outcomes] * tree.n_outcomes
    for depth, at in enumerate(path):
        height = len(path) - depth
        m = strength * (1 + (1 - 1 / height) * n_rows**0.5)
        estimate = naive_step(tree.arrays.counts[at], m, estimate)
    return estimate


def naive_step(counts, m, estimate):
    """One step of M-branch: (n_k + m p_k) / (n + m), the parent's where both are 0."""
    total = float(sum(counts)) + m
    if total == 0:
        return estimate
    return [(float(n) + m * p) / total for n, p in zip(counts, estimate, strict=True)]


def naive_chained_m_branch(tree):
    """Estimate the leaves as the published program does, from the last one back.

    Every leaf starts from the estimate of the leaf after it, and a node's strength is
    that of the last branch it lies on.
    """
    n_rows = float(tree.arrays.counts[0].sum())
    leaves = [node for node in tree.depth_first() if tree.arrays.n_children[node] == 0]
    strengths = {}
    for leaf in leaves:
        path = tree.path(leaf)
        for depth, node in enumerate(path):
            strengths[node] = 1 + (1 - 1 / (len(path) - depth)) * n_rows**0.5
    estimate = [1 / tree.n_outcomes] * tree.n_outcomes
    estimates = {}
    for leaf in reversed(leaves):
        for node in tree.path(leaf):
            estimate = naive_step(tree.arrays.counts[node], 4 * strengths[node], estimate)
        estimates[leaf] = estimate
    return estimates


def naive_rings(tree, parts, outcome):
    """Hand every row its part of the shares of all nodes it is in; add up ring by ring.

    Needs whole counts. Returns (share, points) per ring, the node's own first.
    """
    path = list(parts.nodes)
    result = []
    inside_rows = inside_cases = 0
    for position, node in enumerate(path):
        rows = round(tree.arrays.counts[node].sum())
        cases = round(tree.arrays.counts[node][outcome])
        of_one_row = sum(
            parts.shares[above] / tree.arrays.counts[path[above]].sum()
            for above in range(position, len(path))
            if parts.shares[above] > 0
        )
        share = sum(of_one_row for _ in range(rows - inside_rows))
        points = sum(of_one_row for _ in range(cases - inside_cases))
        result.append((share, points))
        inside_rows, inside_cases = rows, cases
    return result


def naive_share_shown(tree, probs, opened):
    """Return how much of the leaves' variance lies between the groups of a picture."""

    def group(leaf):
        for node in tree.path(leaf):
            if node not in opened:
                return node
        return leaf

    leaves = [int(leaf) for leaf in tree.leaves]
    rows = {leaf: float(tree.totals[leaf]) for leaf in leaves}
    n = sum(rows.values())
    if n == 0:
        return 1.0

    def mean(members):
        weight = sum(rows[leaf] for leaf in members)
        return (
            sum(rows[leaf] * probs[leaf] for leaf in members) / weight if weight else 0 * probs[0]
        )

    overall, groups = mean(leaves), {}
    for leaf in leaves:
        groups.setdefault(group(leaf), []).append(leaf)
    everything = sum(rows[leaf] * ((probs[leaf] - overall) ** 2).sum() for leaf in leaves)
    between = sum(
        sum(rows[leaf] for leaf in members) * ((mean(members) - overall) ** 2).sum()
        for members in groups.values()
    )
    return between / everything if everything > 1e-12 * n else 1.0


def naive_mutual_information(x, y, weights):
    """MI of two lists of codes in nats, cell by cell."""
    total = sum(weights)
    result = 0.0
    for a in set(x):
        for b in set(y):
            joint = sum(w for i, j, w in zip(x, y, weights, strict=True) if (i, j) == (a, b))
            of_a = sum(w for i, w in zip(x, weights, strict=True) if i == a)
            of_b = sum(w for j, w in zip(y, weights, strict=True) if j == b)
            if joint > 0:
                result += joint / total * math.log(joint * total / (of_a * of_b))
    return result


def naive_conditional_mutual_information(x, z, y, weights):
    """CMI of x and z given y: the mean of their MI within each value of y."""
    result = 0.0
    for b in set(y):
        inside = [(i, k, w) for i, k, j, w in zip(x, z, y, weights, strict=True) if j == b]
        xs, zs, ws = zip(*inside, strict=True)
        result += sum(ws) / sum(weights) * naive_mutual_information(xs, zs, ws)
    return result


def naive_kdb(rows, weights, k):
    """Parents of every attribute of a KDB; rows hold codes, the class last."""
    columns = list(zip(*rows, strict=True))
    *attributes, target = columns
    mi = [round(naive_mutual_information(x, target, weights), 12) for x in attributes]
    order = sorted(range(len(attributes)), key=lambda a: (-mi[a], a))
    parents = {}
    for place, a in enumerate(order):
        cmi = {
            b: naive_conditional_mutual_information(attributes[a], attributes[b], target, weights)
            for b in order[:place]
        }
        ranked = sorted(order[:place], key=lambda b: -round(cmi[b], 12))
        parents[a] = ranked[:k]
    return parents


def naive_table_share(rows, weights, target, path, row, label, n_outcomes, strength):
    """m-estimate of a row's value in the deepest context some row of the class shares."""
    for depth in range(len(path), -1, -1):
        inside = [
            (other, w)
            for other, w in zip(rows, weights, strict=True)
            if other[-1] == label and all(other[c] == row[c] for c in path[:depth])
        ]
        n = sum(w for _, w in inside)
        if n > 0:
            break
    else:
        inside = list(zip(rows, weights, strict=True))
        n = sum(weights)
    hits = sum(w for other, w in inside if other[target] == row[target])
    return (hits + strength / n_outcomes) / (n + strength)


def naive_network(rows, weights, parents, n_values, row, strength=1.0):
    """Class probabilities of a row under a network counted again from the given rows.

    The strength is that of the m-estimate; None for Laplace's, one for every value.
    """
    n_classes = n_values[-1]
    strengths = n_values if strength is None else [strength] * len(n_values)
    joint = []
    for label in range(n_classes):
        own = sum(w for other, w in zip(rows, weights, strict=True) if other[-1] == label)
        p = (own + strengths[-1] / n_classes) / (sum(weights) + strengths[-1])
        for target, path in parents.items():
            p *= naive_table_share(
                rows, weights, target, path, row, label, n_values[target], strengths[target]
            )
        joint.append(p)
    return [p / sum(joint) for p in joint]


def naive_loss_surface(rows, weights, parents, n_values, k):
    """Leave-one-out rmse of every SKDB, each by counting again without the row."""
    order = list(parents)
    surface = []
    for n_attributes in range(len(order) + 1):
        losses = []
        for bound in range(k + 1):
            kept = {a: parents[a][:bound] for a in order[:n_attributes]}
            total = 0.0
            for i, row in enumerate(rows):
                others, other_weights = rows[:i] + rows[i + 1 :], weights[:i] + weights[i + 1 :]
                p = naive_network(others, other_weights, kept, n_values, row)[row[-1]]
                total += weights[i] * (1 - p) ** 2
            losses.append((total / sum(weights)) ** 0.5)
        surface.append(losses)
    return surface


def naive_held_out_surface(parts, n_values, k):
    """Loss of every SKDB on held-out rows, and the standard error of its excess over the least.

    Each part is (rows, weights, judges, weights of judges); an unknown value of a judge is None.
    """
    n_attributes = len(n_values) - 1
    sizes = [(a, b) for a in range(n_attributes + 1) for b in range(k + 1)]
    losses, weights = {size: [] for size in sizes}, []
    for rows, row_weights, judges, judge_weights in parts:
        full = naive_kdb(rows, row_weights, k)
        weights += judge_weights
        for a, bound in sizes:
            for judge in judges:
                kept = {t: full[t][:bound] for t in list(full)[:a] if judge[t] is not None}
                p = naive_network(rows, row_weights, kept, n_values, judge)[judge[-1]]
                losses[a, bound].append((1 - p) ** 2)
    total, n = sum(weights), len(weights)
    means = {s: sum(w * x for w, x in zip(weights, losses[s], strict=True)) / total for s in sizes}
    best = min(sizes, key=lambda size: (round(means[size], 12), size))
    surface, errors = [], []
    for a, bound in sizes:
        apart = [
            w * (x - y - (means[a, bound] - means[best]))
            for w, x, y in zip(weights, losses[a, bound], losses[best], strict=True)
        ]
        variance = sum(d * d for d in apart) * n / max(n - 1, 1) / total**2
        roots = means[a, bound] ** 0.5 + means[best] ** 0.5
        surface.append(means[a, bound] ** 0.5)
        errors.append(variance**0.5 / roots if roots > 0 and n > 1 else 0.0)
    return surface, errors


def naive_drawn(chances, fits, place):
    """The value at a place from 0 to 1 among those that fit, and the share that fits."""
    if len(fits) == 0:
        shares, weight = [float(chance) for chance in chances], 1.0
    else:
        shares = [float(chance * fit) for chance, fit in zip(chances, fits, strict=True)]
        weight = sum(shares)
    for value in range(len(shares)):
        if place * sum(shares) < sum(shares[: value + 1]):
            return value, weight
    return len(shares) - 1, weight


def naive_mdlp(pairs):
    """Cut points of (value, class) pairs by recursion, as Fayyad and Irani write it."""

    def entropy(part):
        classes = [c for _, c in part]
        return naive_entropy([classes.count(k) for k in {*classes}])

    def cut(part):
        best, best_gain = None, -1.0
        for low, high in itertools.pairwise(sorted({v for v, _ in part})):
            left = [pair for pair in part if pair[0] <= low]
            right = [pair for pair in part if pair[0] >= high]
            rest = (len(left) * entropy(left) + len(right) * entropy(right)) / len(part)
            if entropy(part) - rest > best_gain + 1e-12:
                best, best_gain = (left, right, (low + high) / 2), entropy(part) - rest
        if best is None:
            return []
        left, right, point = best
        k, k1, k2 = (len({c for _, c in piece}) for piece in (part, left, right))
        delta = math.log2(3**k - 2) - (k * entropy(part) - k1 * entropy(left) - k2 * entropy(right))
        if best_gain <= (math.log2(len(part) - 1) + delta) / len(part):
            return []
        return [*cut(left), point, *cut(right)]

    return cut(pairs)


def naive_holm(p_values):
    """Step down through the sorted p-values."""
    m = len(p_values)
    order = sorted(range(m), key=lambda i: p_values[i])
    adjusted = [0.0] * m
    highest = 0.0
    for rank, i in enumerate(order):
        highest = max(highest, min(1.0, (m - rank) * p_values[i]))
        adjusted[i] = highest
    return adjusted


def naive_child(tree, node, x, n_declared):
    """Follow a value to a child of a node; None if it leads nowhere."""
    missing = math.isnan(x)
    children = {int(tree.arrays.branch[child]): child for child in tree.children(node)}
    threshold = tree.arrays.threshold[node]
    if not math.isnan(threshold):
        branch = 2 if missing else int(x - threshold >= 1e-6)
    else:
        branch = n_declared if missing else int(x)
    return children.get(branch)


def naive_landing(tree, row, n_values, stop, node=0, share=1.0):
    """List (leaf, share) of a row: averaged over children by weight, or stopped, if lost."""
    column = int(tree.arrays.column[node])
    if column < 0:
        return [(node, share)]
    child = naive_child(tree, node, row[column], n_values[column])
    if child is not None:
        return naive_landing(tree, row, n_values, stop, child, share)
    if stop:
        return [(node, share)]
    children = list(tree.children(node))
    weights = [float(tree.arrays.weight[child]) for child in children]
    total = sum(weights)
    parts = [w / total if total else 1 / len(children) for w in weights]
    return [
        place
        for child, part in zip(children, parts, strict=True)
        if part > 0
        for place in naive_landing(tree, row, n_values, stop, child, share * part)
    ]


def naive_products(member, row, n_values):
    """For every class, its probability times that of every value given class and parents."""
    *tables, prior = member.trees
    products = [float(p) for p in prior.probs[0]]
    for k in range(len(products)):
        for table in tables:
            x = row[table.tree.target]
            outcome = n_values[table.tree.target] if math.isnan(x) else int(x)
            if 0 <= outcome < table.tree.n_outcomes:
                given = [*row[:-1], float(k)]
                ((node, _),) = naive_landing(table.tree, given, n_values, stop=True)
                products[k] *= table.probs[node][outcome]
    return products


def naive_soft_parts(tree, gates, blur, stray, row, n_values, node):
    """Return the part of a softly routed row that goes to every child of a node."""
    children, column = list(tree.children(node)), int(tree.arrays.column[node])
    rows = float(tree.arrays.weight[node])
    led_to = naive_child(tree, node, row[column], n_values[column])
    strays = 1.0 if led_to is None else stray / (stray + rows) if stray else 0.0
    led = {led_to: 1.0}
    width = blur * gates[1][node]
    if width > 0 and not math.isnan(tree.arrays.threshold[node] + row[column]):
        right = 1 / (1 + math.exp(min(700, (gates[0][node] - row[column]) / width)))
        led = {children[0]: 1 - right, children[1]: right}
    by_size = {c: tree.arrays.weight[c] / rows if rows else 1 / len(children) for c in children}
    return {c: strays * by_size[c] + (1 - strays) * led.get(c, 0.0) for c in children}


def naive_soft_step_shares(*how, node=0, share=1.0):
    """Return the weight with which a softly routed row reaches every node, by node."""
    shares = {node: share}
    if how[0].arrays.column[node] >= 0:
        for child, part in naive_soft_parts(*how, node).items():
            if share * part >= 1e-3:
                shares |= naive_soft_step_shares(*how, node=child, share=share * part)
    return shares


def naive_soft_paths(*how, node=0, share=1.0):
    """List (leaf, weight) of a softly routed row, before rescaling."""
    if how[0].arrays.column[node] < 0:
        return [(node, share)]
    paths = []
    for child, part in naive_soft_parts(*how, node).items():
        if share * part >= 2e-3:
            paths += naive_soft_paths(*how, node=child, share=share * part)
    return paths or [(node, share)]


def naive_logit_loss(features, counts, intercept, weights, penalties):
    """Penalised loss of a multinomial logit on dense features, with the even row in the middle."""
    n_rows, n_outcomes = counts.shape
    sizes = [float(counts[i].sum()) for i in range(n_rows)]
    n_features = len(weights)
    means = [
        sum(size * features[i][j] for i, size in enumerate(sizes)) / sum(sizes)
        for j in range(n_features)
    ]
    loss = 0.0
    for i in range(n_rows + 1):
        scores = [float(b) for b in intercept]
        given = [1 / n_outcomes] * n_outcomes
        if i < n_rows:
            given = counts[i]
            for j, mean in enumerate(means):
                for k in range(n_outcomes):
                    scores[k] += (features[i][j] - mean) * weights[j][k]
        log_total = special.logsumexp(scores)
        loss += sum(given[k] * (log_total - scores[k]) for k in range(n_outcomes))
    loss += 0.5e-4 * sum(float(b) ** 2 for b in intercept)
    return loss + sum(
        0.5 * penalties[j] * float(w) ** 2 for j in range(n_features) for w in weights[j]
    )


def naive_hgs(tree, node, weights, uniform):
    """(n_k + sum of ancestors' weighted frequencies + u / K) / (n + sum of weights + u)."""
    counts, totals = tree.arrays.counts, tree.totals
    n_outcomes = tree.n_outcomes
    if totals[node] == 0:
        if node == 0:
            return [1 / n_outcomes] * n_outcomes
        return naive_hgs(tree, int(tree.arrays.parent[node]), weights, uniform)
    above = tree.path(node)[:-1]
    rows = totals[node] + sum(weights[a] for a in above) + uniform
    return [
        (
            counts[node, k]
            + sum(weights[a] * counts[a, k] / totals[a] for a in above)
            + uniform / n_outcomes
        )
        / rows
        for k in range(n_outcomes)
    ]


def naive_shrinkage(tree, node, penalty, strength):
    """Both recursions of hierarchical shrinkage, from the root down to the node."""
    counts, totals = tree.arrays.counts, tree.totals
    n_outcomes = tree.n_outcomes
    phi = [(counts[0, k] + 1 / n_outcomes) / (totals[0] + 1) for k in range(n_outcomes)]
    psi = phi
    path = tree.path(node)
    for up, at in itertools.pairwise(path):
        rows = totals[at] + strength
        here = [
            (counts[at, k] + strength * phi[k]) / rows if rows else phi[k] for k in range(len(phi))
        ]
        kept = 1 / (1 + penalty / totals[up]) if totals[up] else 0.0
        psi = [old + (new - before) * kept for old, new, before in zip(psi, here, phi, strict=True)]
        phi = here
    return psi


def naive_hls_loss(tree, deltas, penalty, root_penalty, even_row):
    """Log loss of the leaves when the deltas of a path add up, and the ridge on all deltas."""
    n_outcomes = tree.n_outcomes
    loss = 0.0
    for node in range(tree.n_nodes):
        given = [float(n) for n in tree.arrays.counts[node]] if tree.is_leaf[node] else []
        given = given or [0.0] * n_outcomes
        if node == 0 and even_row:
            given = [n + 1 / n_outcomes for n in given]
        scores = [sum(float(deltas[a][k]) for a in tree.path(node)) for k in range(n_outcomes)]
        log_total = special.logsumexp(scores)
        loss += sum(n * (log_total - s) for n, s in zip(given, scores, strict=True))
        ridge = root_penalty if node == 0 else penalty
        loss += 0.5 * ridge * sum(float(d) ** 2 for d in deltas[node])
    return loss


def naive_prunings(tree, alpha, split, power, node=0):
    """List all prunings below a node: the leaves of each, its prior times the rows' likelihood."""
    counts = [float(n) for n in tree.arrays.counts[node]]
    whole = alpha * len(counts)
    log_evidence = math.lgamma(whole) - math.lgamma(sum(counts) + whole)
    log_evidence += sum(math.lgamma(n + alpha) - math.lgamma(alpha) for n in counts)
    own = math.exp(power * log_evidence)
    children = list(tree.children(node))
    if not children:
        return [({node}, own)]
    found = [({node}, (1 - split) * own)]
    below = [naive_prunings(tree, alpha, split, power, child) for child in children]
    for choice in itertools.product(*below):
        leaves = set().union(*(leaves for leaves, _ in choice))
        found.append((leaves, split * math.prod(weight for _, weight in choice)))
    return found


def naive_ctw(tree, node, alpha, split, power):
    """Ask every pruning about a row that reaches a leaf, and average by their probability."""
    prunings = naive_prunings(tree, alpha, split, power)
    total = sum(weight for _, weight in prunings)
    n_outcomes = tree.n_outcomes
    answer = [0.0] * n_outcomes
    for leaves, weight in prunings:
        (at,) = leaves.intersection(tree.path(node))
        rows = tree.totals[at] + alpha * n_outcomes
        for k in range(n_outcomes):
            answer[k] += weight / total * (tree.arrays.counts[at, k] + alpha) / rows
    return answer


def naive_held_out_loss(part, probs, log_loss):
    """Average the vectors where each held-out row lands; add up its loss."""
    total = 0.0
    for row, outcome in enumerate(part.outcomes):
        places = range(part.first[row], part.first[row + 1])
        answer = sum(part.shares[place] * probs[part.nodes[place]] for place in places)
        truth = [float(k == outcome) for k in range(len(answer))]
        loss = (
            -math.log(answer[outcome])
            if log_loss
            else sum((t - p) ** 2 for t, p in zip(truth, answer, strict=True))
        )
        total += part.weights[row] * loss
    return total


def naive_leave_one_out(tree, weights, uniform, log_loss):
    """Take every row out of its leaf and of all ancestors, and see what is said about it."""
    counts, totals, own = tree.arrays.counts, tree.totals, tree.row_weights
    loss = 0.0
    for leaf in tree.leaves:
        above = tree.path(int(leaf))[:-1]
        for k in range(tree.n_outcomes):
            n = counts[leaf, k]
            rows = totals[leaf] - own[leaf, k] + sum(weights[a] for a in above) + uniform
            if n == 0 or rows <= 0:
                continue
            lent = sum(
                weights[a] * (counts[a, k] - own[a, k]) / (totals[a] - own[a, k])
                for a in above
                if counts[a, k] > own[a, k]
            )
            p = (n - own[leaf, k] + lent + uniform / tree.n_outcomes) / rows
            loss += n * (-math.log(max(p, 1e-300)) if log_loss else (1 - p) ** 2)
    return loss / max(totals[0], 1)


def naive_entropy(weights):
    """Entropy in bits of a list of weights."""
    total = sum(weights)
    return -sum(w / total * math.log2(w / total) for w in weights if w > 1e-9)


def naive_gain(sides, labels):
    """Bits that a split tells about the class of rows that count once; None is a side, too."""

    def entropy(chosen):
        return naive_entropy([chosen.count(k) for k in set(chosen)]) if chosen else 0.0

    left_over = 0.0
    for side in set(sides):
        inside = [label for s, label in zip(sides, labels, strict=True) if s == side]
        left_over += len(inside) / len(labels) * entropy(inside)
    return entropy(labels) - left_over


def naive_counts(rows, n_classes):
    """Weight by class of rows (values, label, weight)."""
    return [sum(w for _, label, w in rows if label == k) for k in range(n_classes)]


def naive_branches(rows, c, threshold, n_named, n_branches):
    """The rows of every branch of a split, the last one for missing values, and what has none."""
    branches, lost = [[] for _ in range(n_branches)], []
    for row in rows:
        x = row[0][c]
        if x is not None:
            branches[int(x) if threshold is None else int(x - threshold >= 1e-6)].append(row)
        elif n_branches > n_named:
            branches[-1].append(row)
        else:
            lost.append(row)
    return branches, lost


def naive_deal(branches, lost, where_empty=0):
    """Add the rows without a branch to every branch, in parts as heavy as the branches are."""
    weights = [sum(w for *_, w in branch) for branch in branches]
    for branch, weight in zip(branches, weights, strict=True):
        part = weight / sum(weights) if sum(weights) > 1e-6 else where_empty
        branch.extend((v, label, w * part) for v, label, w in lost if part > 1e-6)
    return branches


def naive_c45(rows, n_values, n_classes, min_leaf=2, missing="value", whole=None, never=()):  # noqa: PLR0915
    """C4.5 without collapse, recursively: (counts, column, threshold, children).

    ``rows`` are (values, label, weight), a missing value is None; ``n_values`` says how many
    categories a column has, 0 where it is numeric. ``whole`` is the table that the rows are a
    part of, ``never`` holds columns that are not looked at.
    """
    table = rows if whole is None else whole
    columns = [c for c in range(len(n_values)) if c not in never]
    every = range(len(n_values))
    has_missing = [any(values[c] is None for values, _, _ in table) for c in every]
    own_branch = [missing == "value" and has_missing[c] for c in every]
    total = sum(weight for _, _, weight in table)
    few = [n_values[c] == 0 or n_values[c] < 0.3 * total - 1e-6 for c in every]
    known_values = [sorted({v[c] for v, _, _ in table if v[c] is not None}) for c in every]

    def split(node, c, threshold):
        n_named = n_values[c] or 2
        return naive_branches(node, c, threshold, n_named, n_named + own_branch[c])

    def gain_and_ratio(branches, lost, total):
        """Of rows that have a branch; the others are a branch of their own in the ratio only."""
        counts = [naive_counts(branch, n_classes) for branch in branches]
        together = [sum(column) for column in zip(*counts, strict=True)]
        gain = sum(together) * naive_entropy(together)
        gain -= sum(sum(n) * naive_entropy(n) for n in counts if sum(n) > 0)
        info = naive_entropy([*(sum(n) for n in counts), sum(w for *_, w in lost)])
        return gain / total, info

    def best_cut(node, c, total):
        known = [row for row in node if row[0][c] is not None]
        weight = sum(w for *_, w in known)
        least = min(max(0.1 * weight / n_classes, min_leaf), 25)
        if max(len(known), weight) < 2 * least - 1e-6:
            return None
        met = sorted({values[c] for values, _, _ in known})
        uses_missing = own_branch[c] and len(known) < len(node)
        best, where, n_cuts = (-math.inf if uses_missing else 0), None, 0
        for low, high in itertools.pairwise(met):
            sides = [[r for r in known if r[0][c] <= low], [r for r in known if r[0][c] > low]]
            if low + 1e-5 < high and all(sum(r[2] for r in s) >= least - 1e-6 for s in sides):
                n_cuts += 1
                gain = gain_and_ratio(sides, [], total)[0]
                if gain > best + 1e-6:
                    best, where = gain, (low, high)
        if where is None:
            return None
        middle = (where[0] + where[1]) / 2
        threshold = max(v for v in known_values[c] if v <= middle and v < where[1])
        gain, info = gain_and_ratio(*split(node, c, threshold), total)
        return gain - math.log2(n_cuts) / total, info, threshold

    def grow(node):
        counts = naive_counts(node, n_classes)
        total = sum(counts)
        if total < 2 * min_leaf - 1e-6 or max(counts) > total - 1e-6:
            return counts, None, None, []
        options = []
        for c in columns:
            if n_values[c]:
                branches, lost = split(node, c, None)
                if sum(sum(r[2] for r in b) >= min_leaf - 1e-6 for b in branches) >= 2:
                    options.append((c, *gain_and_ratio(branches, lost, total), None))
            elif (cut := best_cut(node, c, total)) and cut[0] >= 1e-6:
                options.append((c, *cut))
        gains = [gain for c, gain, _, _ in options if few[c] or not any(few[c] for c in columns)]
        chosen, best = None, 0
        for c, gain, info, threshold in options:
            ratio = gain / info if info * total > 1e-6 else 0
            if gains and gain >= sum(gains) / len(gains) - 1e-3 and ratio > best + 1e-6:
                chosen, best = (c, threshold), ratio
        if chosen is None:
            return counts, None, None, []
        return counts, *chosen, [grow(branch) for branch in naive_deal(*split(node, *chosen))]

    return grow(rows)


def naive_edited(rows, n_values, n_classes, missing, collapse, edits):
    """A tree grown with corrections (what, way, column, cut), from the root down.

    Below a corrected node everything is grown from the node's own rows; of the whole table only
    the values that cuts are placed at, which columns have missing values, and which have many
    categories for so many rows matter.
    """

    def branches_of(node, c, threshold):
        n_named = n_values[c] or 2
        own_branch = missing == "value" and any(values[c] is None for values, _, _ in rows)
        return naive_deal(*naive_branches(node, c, threshold, n_named, n_named + own_branch))

    def grow(node, never, freely):
        tree = naive_c45(node, n_values, n_classes, 2, missing, whole=rows, never=never)
        return naive_collapse(tree) if collapse and not freely else tree

    def correct(tree, node, way, never, freely):
        """Follow the edits about this node, then those of the nodes below it."""
        sides = [(c, branch) for c, branch, _ in way]
        here = [e for e in edits if [(c, branch) for c, branch, _ in e[1]] == sides]
        here = [e for e in here if leads_here(e[1], way)] if here else here
        never = never | {c for do, _, c, _ in here if do == "never"}
        acts = [e for e in here if e[0] != "never"]
        freely = freely or bool(acts and acts[-1][0] == "grow")
        if len(acts) < len(here) or (acts and acts[-1][0] == "grow"):
            tree = grow(node, never, freely)
        if acts and acts[-1][0] == "stop":
            tree = (tree[0], None, None, [])
        if acts and acts[-1][0] == "split":
            tree = split(tree, node, *acts[-1][2:], never, freely)
        counts, column, threshold, children = tree
        if column is None:
            return tree
        parts = branches_of(node, column, threshold)
        below = [
            correct(child, part, [*way, (column, branch, (threshold, node))], never, freely)
            for branch, (child, part) in enumerate(zip(children, parts, strict=True))
        ]
        return counts, column, threshold, below

    def leads_here(asked, way):
        """Whether every cut on the way is about the one the edit names."""
        for (c, _, bound), (_, _, (threshold, node)) in zip(asked, way, strict=True):
            if bound is None:
                continue
            known = [(v[c], w) for v, _, w in node if v[c] is not None]
            moved = sum(w for x, w in known if (x - bound < 1e-6) != (x - threshold < 1e-6))
            if moved > max(0.1 * sum(w for _, w in known), 1.0):
                return False
        return True

    def split(tree, node, c, cut, never, freely):
        counts, column, threshold, _ = tree
        if column == c and (cut is None or cut == threshold):
            return tree
        if cut is None and not n_values[c]:
            others = set(range(len(n_values))) - {c}
            stump = naive_c45(node, n_values, n_classes, 2, missing, whole=rows, never=others)
            if stump[1] is None:
                return tree
            cut = stump[2]
        parts = branches_of(node, c, cut)
        if sum(sum(w for *_, w in part) > 0 for part in parts) < 2:
            return tree
        return counts, c, cut, [grow(part, never, freely) for part in parts]

    return correct(grow(rows, set(), False), rows, [], set(), False)


def naive_collapse(tree):
    """Make leaves of the topmost nodes whose leaves make no fewer training errors."""
    counts, column, threshold, children = tree
    if not children:
        return tree

    def errors(node):
        return sum(map(errors, node[3])) if node[3] else sum(node[0]) - max(node[0])

    if errors(tree) >= sum(counts) - max(counts) - 1e-3:
        return counts, None, None, []
    return counts, column, threshold, [naive_collapse(child) for child in children]


def naive_added_errors(n, e, confidence, z):
    """Errors C4.5 adds to e errors in n rows: the upper end of their confidence interval."""
    if e < 1:
        none = n * (1 - confidence ** (1 / n))
        return none + e * (naive_added_errors(n, 1, confidence, z) - none) if e > 0 else none
    if e + 0.5 >= n:
        return max(n - e, 0)
    f = (e + 0.5) / n
    upper = f + z * z / (2 * n) + z * math.sqrt(f / n - f * f / n + z * z / (4 * n * n))
    return upper / (1 + z * z / n) * n - e


def naive_prune(tree, rows, n_values, n_classes, confidence, z, raising):
    """C4.5's pessimistic pruning of (counts, column, threshold, children), recursively."""

    def estimate(counts):
        n, e = sum(counts), sum(counts) - max(counts)
        return e + naive_added_errors(n, e, confidence, z) if n > 1e-6 else 0

    def deal(node, rows):
        _, c, threshold, children = node
        parted = naive_branches(rows, c, threshold, n_values[c] or 2, len(children))
        return naive_deal(*parted, where_empty=1 / len(children))

    def through(node, rows):
        if not node[3]:
            return estimate(naive_counts(rows, n_classes))
        return sum(map(through, node[3], deal(node, rows)))

    def prune(node, rows):
        counts = naive_counts(rows, n_classes)
        if not node[3]:
            return (counts, None, None, []), estimate(counts)
        branches = deal(node, rows)
        settled = [prune(child, branch) for child, branch in zip(node[3], branches, strict=True)]
        children = [child for child, _ in settled]
        as_tree = sum(errors for _, errors in settled)
        largest, most = 0, 0
        for i, branch in enumerate(branches):
            if sum(w for *_, w in branch) > most - 1e-6:
                largest, most = i, sum(w for *_, w in branch)
        as_branch = through(children[largest], rows) if raising else math.inf
        as_leaf = estimate(counts)
        if as_leaf < as_tree + 0.1 + 1e-6 and as_leaf < as_branch + 0.1 + 1e-6:
            return (counts, None, None, []), as_leaf
        if as_branch < as_tree + 0.1 + 1e-6:
            return prune(children[largest], rows)
        return (counts, *node[1:3], children), as_tree

    return prune(tree, rows)[0]


def naive_hdp(tree, tying, shape=2.0, rate=1.0, n_grid=25):
    """Exact posterior means of an HDP: every table count tried, concentrations on a grid.

    Tables t of a node weigh Stirling(n, t) c^t / (c (c + 1) ... (c + n - 1)); the root's
    pseudo-counts weigh as a Dirichlet of total 2 around the uniform says. Tying is "single"
    or "level"; whole counts, small ones.
    """
    depth = tree.arrays.depth
    n_groups = 1 if tying == "single" else tree.max_depth
    points = [math.exp(-6 + 9.5 * i / (n_grid - 1)) for i in range(n_grid)]
    grid = np.array(list(itertools.product(points, repeat=n_groups)))
    c_of = [
        np.full(len(grid), 2.0) if v == 0 else grid[:, 0 if tying == "single" else depth[v] - 1]
        for v in range(tree.n_nodes)
    ]
    total = np.zeros(len(grid))
    answer = np.zeros((tree.n_nodes, tree.n_outcomes))
    leaf_counts = [tuple(int(n) for n in row) for row in tree.arrays.counts]
    counts = [
        leaf_counts[v] if tree.is_leaf[v] else (0,) * tree.n_outcomes for v in range(tree.n_nodes)
    ]
    prior = (grid**shape * np.exp(-rate * grid)).prod(axis=1)

    def visit(node, counts, weight):
        if node == 0:
            a = 2 / tree.n_outcomes
            root = math.prod(special.poch(a, n) for n in counts[0])
            w = weight * root / special.poch(2.0, sum(counts[0]))
            total[:] += w
            p = [None] * tree.n_nodes
            for v in range(tree.n_nodes):
                above = 1 / tree.n_outcomes if v == 0 else p[tree.arrays.parent[v]]
                c = c_of[v][:, None]
                p[v] = (np.array(counts[v]) + c * above) / (sum(counts[v]) + c)
                answer[v] += w @ p[v]
            return
        for tables in itertools.product(*(range(min(n, 1), n + 1) for n in counts[node])):
            ways = math.prod(
                naive_stirling(n, t) for n, t in zip(counts[node], tables, strict=True)
            )
            c = c_of[node]
            up = int(tree.arrays.parent[node])
            passed = list(counts)
            passed[up] = tuple(n + t for n, t in zip(counts[up], tables, strict=True))
            own = ways * c ** sum(tables) / special.poch(c, sum(counts[node]))
            visit(node - 1, passed, weight * own)

    visit(tree.n_nodes - 1, counts, prior)
    return answer / total.sum()


def naive_stirling(n, t):
    """Unsigned Stirling number of the first kind: ways to seat n customers at t tables."""
    if n == 0 or t == 0:
        return int(n == t)
    return naive_stirling(n - 1, t - 1) + (n - 1) * naive_stirling(n - 1, t)


def naive_node_counts(rows, histograms):
    """Count coded rows in the open nodes of a tree, one row and one step at a time."""
    tree, tables = histograms.tree, np.zeros_like(histograms.tables)
    for *codes, outcome in rows.tolist():
        node = 0
        while tree.first_child[node] >= 0:
            code = codes[tree.column[node]]
            if tree.last_below[node] < 0:
                branch = code
            elif code == tree.n_codes[tree.column[node]]:
                branch = 2
            else:
                branch = 0 if code <= tree.last_below[node] else 1
            node = tree.first_child[node] + branch
        slot = histograms.slots[node]
        if slot >= 0:
            for column, code in enumerate(codes):
                tables[slot, histograms.starts[column] + code, outcome] += 1
    return tables


def naive_hdp_cdf(leaves, at, shape=2.0, rate=1.0, n_grid=100):
    """Exact posterior distribution functions of a root with leaves and two outcomes.

    Integrates over the root's probability q (uniform) and the concentration c: a leaf of
    counts (a, b) has a Beta-binomial density with shapes c q, c (1 - q), and given both its
    probability is Beta(a + c q, b + c (1 - q)).

    Returns
    -------
    array[1 + len(leaves), len(at)], the root first: the chance of a probability up to each ``at``
    """
    q = (np.arange(n_grid) + 0.5) / n_grid
    c = np.exp(np.linspace(-9, 14, n_grid))
    q, c = (grid.ravel() for grid in np.meshgrid(q, c))
    log_weight = shape * np.log(c) - rate * c
    for a, b in leaves:
        log_weight += special.betaln(a + c * q, b + c * (1 - q)) - special.betaln(
            c * q, c * (1 - q)
        )
    weight = np.exp(log_weight - log_weight.max())
    weight /= weight.sum()
    # A point of q stands for the cell around it: its weight is complete at the cell's end.
    of_q = weight.reshape(n_grid, n_grid).sum(axis=0)
    root = np.interp(at, np.arange(n_grid + 1) / n_grid, [0, *np.cumsum(of_q)])
    rest = [
        [weight @ special.betainc(a + c * q, b + c * (1 - q), x) for x in at] for a, b in leaves
    ]
    return np.array([root, *rest])


def naive_summed_density(tree, probs, nodes, c, shape, rate):
    """Log density, up to a constant, of log c of some nodes given the inner nodes' ``probs``.

    A leaf is Dirichlet-multinomial, an inner node Dirichlet around its parent; outcomes that
    no row below an inner node has are lumped together.
    """
    value = shape * math.log(c) - rate * c
    for v in nodes:
        base = c * probs[tree.arrays.parent[v]]
        n = tree.arrays.counts[v]
        if tree.is_leaf[v]:
            value += special.gammaln(c) - special.gammaln(c + n.sum())
            value += sum(special.gammaln(base + n) - special.gammaln(base))
            continue
        met = n > 0
        lumped = [*base[met], base[~met].sum()] if not met.all() else base
        own = [*probs[v][met], probs[v][~met].sum()] if not met.all() else probs[v]
        value += special.gammaln(c)
        value += sum(b * math.log(p) - special.gammaln(b) for b, p in zip(lumped, own, strict=True))
    return value


def naive_leaf_interval(leaves, p, n):
    """90 % interval of the true rate of a leaf that says p of n rows, from inner leaves.

    ``leaves`` are (rows it was learnt from, its answer, unseen rows, cases); sizes are powers of
    2 and answers lie in the middle of their bins.
    """
    slopes = [0.25 * i for i in range(7)]
    steps = [0.7 * ((i + 0.5) / 12) ** 3 for i in range(12)]
    n_rows = sum(m for _, _, m, _ in leaves)
    rate = (sum(k for *_, k in leaves) + 0.5) / (n_rows + 1)
    least = min(rate, 1 - rate) / 50

    def mean(p, slope):
        start, p = special.logit(rate), min(max(p, least), 1 - least)
        return special.expit(start + slope * (special.logit(p) - start))

    def log_weight(leaf, slope, step):
        size, q, m, k = leaf
        scale = (1 + size / 16) / step - 1
        a, b = mean(q, slope) * scale, (1 - mean(q, slope)) * scale
        return special.betaln(k + a, m - k + b) - special.betaln(a, b)

    def near(leaf):
        away = (math.asin(math.sqrt(leaf[1])) - math.asin(math.sqrt(p))) / 0.4
        return math.exp(-(away**2 + (math.log2(leaf[0] / n) / 1.5) ** 2) / 2)

    several = [leaf for leaf in leaves if leaf[2] > 1]
    as_many = sum(map(near, several)) / sum(near(leaf) / leaf[2] for leaf in several)
    weights = {
        (slope, step): math.exp(
            as_many * sum(near(leaf) / leaf[2] * log_weight(leaf, slope, step) for leaf in leaves)
        )
        for slope in slopes
        for step in steps
    }
    betas = []
    for step in steps:
        own = [weights[slope, step] for slope in slopes]
        middle = sum(w * mean(p, s) for w, s in zip(own, slopes, strict=True)) / sum(own)
        apart = sum(w * (mean(p, s) - middle) ** 2 for w, s in zip(own, slopes, strict=True))
        unsure = apart / sum(own) / (middle * (1 - middle))
        spread = step / (1 + n / 16)
        part = min(spread + (1 - spread) * unsure + 1 / (n_rows + 1), 0.95)
        betas.append((sum(own), middle * (1 / part - 1), (1 - middle) * (1 / part - 1)))

    def point(share):
        total = sum(w for w, _, _ in betas)
        low, high = 0.0, 1.0
        for _ in range(50):
            x = (low + high) / 2
            below = sum(w * special.betainc(a, b, x) for w, a, b in betas) / total
            low, high = (x, high) if below < share else (low, x)
        return low

    return min(point(0.045), p), max(point(0.955), p)


def naive_decision(forecasts, outcomes, weights, groups, threshold=None, capacity=None):
    """What comes of acting, counted row by row; in the order of the figures of a Decision.

    Up to a capacity the highest chances come first, and rows with equal ones share what is left.
    """
    rows = sorted(zip(forecasts, outcomes, weights, groups, strict=True), reverse=True)
    left = None if capacity is None else capacity * sum(weight for _, _, weight, _ in rows)
    acts = []
    for p, _, _, _ in rows:
        if capacity is None:
            acts.append(float(p >= threshold))
            continue
        above = sum(weight for other, _, weight, _ in rows if other > p)
        alike = sum(weight for other, _, weight, _ in rows if other == p)
        acts.append(min(max((left - above) / alike, 0.0), 1.0))
        if left > above:
            threshold = p
    odds = threshold / (1 - threshold)

    def total(value, group=None):
        return sum(
            weight * value(act, outcome)
            for act, (_, outcome, weight, mine) in zip(acts, rows, strict=True)
            if group is None or mine == group
        )

    def ratio(part, whole):
        """A share and the variance of its linearised form, group by group."""
        share = total(part) / total(whole)
        parts = (total(lambda a, y: part(a, y) - share * whole(a, y), group) for group in {*groups})
        return share, sum(each**2 for each in parts) / total(whole) ** 2

    def everyone(a, y):
        return 1.0

    benefit = total(lambda a, y: a * (y - (1 - y) * odds)) / total(everyone)
    of_all = total(lambda a, y: y - (1 - y) * odds) / total(everyone)
    return {
        "acted_on": ratio(lambda a, y: a, everyone),
        "rightly": ratio(lambda a, y: a * y, everyone),
        "missed": ratio(lambda a, y: (1 - a) * y, everyone),
        "sensitivity": ratio(lambda a, y: a * y, lambda a, y: y),
        "predictive_value": ratio(lambda a, y: a * y, lambda a, y: a),
        "net_benefit": (benefit, None),
        "over_all": (benefit - of_all, None),
    }


def naive_points(card, row):
    """Look one row's lines up on a points card, as a person would, and add their points up."""
    total = 0
    for part in card.parts:
        for line in part.lines:
            if all(any(naive_meets(row[way[0]], *way[1:]) for way in ways) for ways in line.when):
                total += line.points
                break
    return total


def naive_meets(x, low, high, codes, missing):
    """Say whether a value is above one number and up to another, among codes, or missing."""
    if missing or math.isnan(x):
        return missing and math.isnan(x)
    if codes is not None:
        return x in codes
    return (low is None or x > low) and (high is None or x <= high)
