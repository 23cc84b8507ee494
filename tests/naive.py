"""Slow, readable twins of the compiled kernels.

Each function here does in plain Python what a kernel does fast, so that a reader can check
it against the formula and a test can check the kernel against it.
"""


def naive_rmse(proba, labels, weights):
    """Root of the weighted mean of the squared miss per class, as the papers define it."""
    n_classes = len(proba[0])
    total = 0.0
    for row, label, weight in zip(proba, labels, weights, strict=True):
        miss = sum(((k == label) - p) ** 2 for k, p in enumerate(row))
        total += weight * miss / n_classes
    return (total / sum(weights)) ** 0.5


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
