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
