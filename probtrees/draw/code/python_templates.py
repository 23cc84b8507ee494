"""Plain Python that exported models are made of: it is written into files, never run here.

Every part is a text for :meth:`str.format`, so that braces of the code are doubled.
"""

from __future__ import annotations

ROUTING = """\
# splits: node -> column, numeric?, {{value: child}} or the middle of the cut, its width (0: sharp
# at the third number), child of a missing value, share that strays, children with their share of
# the rows


def _gate(x, middle, width, cut):
    if width <= 0:
        return 1.0 if x - cut >= 1e-6 else 0.0
    off = (x - middle) / width
    return 0.0 if off < -{far!r} else 1.0 if off > {far!r} else 1.0 / (1.0 + exp(-off))


def _children(splits, node, share, row):
    column, is_number, lead, missing, stray, below = splits[node]
    value = row.get(column)
    led = {{}}
    if value is None:
        led = {{}} if missing is None else {{missing: 1.0}}
    elif is_number:
        right = _gate(float(value), *lead)
        led = {{below[0][0]: 1.0 - right, below[1][0]: right}}
    elif value in lead:
        led = {{lead[value]: 1.0}}
    strayed = stray if led else 1.0
    for child, size in below:
        yield child, share * strayed * size + share * (1.0 - strayed) * led.get(child, 0.0)


def _softmax(scores):
    largest = max(scores)
    raised = [exp(score - largest) for score in scores]
    return [value / sum(raised) for value in raised]
"""
"""How rows go softly through a tree."""

SHAPED = """\
def _step(x, knot, width):
    off = (knot - x) / width
    return 0.0 if off > {most!r} else 1.0 / (1.0 + exp(off))


# nodes: what every node adds to the scores of the classes. numbers: column, knots, width, centres,
# scales, weights, offset, missing. texts: column, what every value adds, what a missing one adds


def _shaped_scores(row, base, splits, nodes, numbers, texts):
    total = list(base)

    def add(terms, factor=1.0):
        for k, term in enumerate(terms):
            total[k] += factor * term

    waiting = [(0, 1.0)]
    while waiting:
        node, share = waiting.pop()
        if node:
            add(nodes[node], share)
        if node in splits:
            below = _children(splits, node, share, row)
            waiting += [(child, part) for child, part in below if part >= {least!r}]
    for column, knots, width, centres, scales, weights, offset, missing in numbers:
        value = row.get(column)
        if value is None:
            add(missing)
            continue
        x = float(value)
        features = [x] + [_step(x, knot, width) for knot in knots]
        add(offset)
        for raw, centre, scale, weight in zip(features, centres, scales, weights):
            add(weight, max(-{clip!r}, min({clip!r}, (raw - centre) / scale)))
    for column, table, missing in texts:
        value = row.get(column)
        add(missing if value is None else table.get(value, [0.0] * len(base)))
    return total
"""
"""What a shaped tree adds up."""

SOFT_TREE = """\
def _tree_proba(row, splits, probs):
    ends, waiting = [], [(0, 1.0)]
    while waiting:
        node, share = waiting.pop()
        below = _children(splits, node, share, row) if node in splits else ()
        kept = [(child, part) for child, part in below if part >= {smallest!r}]
        waiting += kept
        if not kept:
            ends.append((share, probs[node]))
    total = sum(share for share, _ in ends)
    return [sum(share / total * p[k] for share, p in ends) for k in range(len(probs[0]))]
"""
"""What a softly routed tree answers."""

NETWORK = """\
# columns: name -> cut points, or {{value: code}}; code of a missing value. tables: column (None:
# the class), then per node: column that is asked next (None: the class; "": none),
# {{code: child}}, probabilities


def _code(columns, name, value):
    lead, missing = columns[name]
    if value is None:
        return missing
    return bisect_left(lead, float(value)) if isinstance(lead, list) else lead.get(value, -1)


def _network_proba(row, columns, tables, n_classes):
    codes = {{name: _code(columns, name, row.get(name)) for name in columns}}
    total = [0.0] * n_classes
    for target, nodes in tables:
        for k in range(n_classes):
            outcome = k if target is None else codes[target]
            if not 0 <= outcome < len(nodes[0][2]):
                continue
            asked, children, probs = nodes[0]
            while asked != "":
                child = children.get(k if asked is None else codes[asked])
                if child is None:
                    break
                asked, children, probs = nodes[child]
            total[k] += log(max(probs[outcome], 1e-300))
    return _softmax(total)
"""
"""What a network answers."""

ENDING = """\
if __name__ == "__main__":
    for row, expected in TESTS:
        answer = predict_proba(row)
        assert all(abs(p - q) < 1e-9 for p, q in zip(answer, expected)), (row, answer, expected)
    print(len(TESTS), "rows scored as expected")
"""
"""How a file checks itself."""
