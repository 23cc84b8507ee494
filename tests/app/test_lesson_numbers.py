"""The lesson's numbers: the browser's scripts, run by Node, against the package and naive.py."""

import json
import math
import re
import subprocess
from itertools import product
from typing import Any

import numpy as np
import pytest
from playwright._impl._driver import compute_driver_executable
from scipy.stats import binom

from probtrees.smooth.example_trees import example_trees, tree_of
from probtrees.smooth.gibbs.convergence import effective_sample_size
from probtrees.smooth.hdp import HDP
from probtrees.smooth.hgs import HGS, SINGLE_WEIGHTS
from probtrees.smooth.m_branch import MBranch
from probtrees.smooth.m_estimate import MLE, Laplace, MEstimate
from probtrees.ui.learn.learn_page import LESSON as NAMES
from probtrees.ui.learn.lesson_file import COMPUTE, STEPS, scripts
from tests.naive import naive_hgs, naive_leave_one_out, naive_m_branch, naive_m_estimate

GENE_PARENT, GENE_ENDS, GENE_LEAF = (-1, 0, 0, 1, 1), (3, 4, 2), 4
GENE_COUNTS = (10, 0, 0, 1, 90, 900)
STROKE_TREE = tree_of(
    [2, *[3] * 2, *[0] * 6], [[1, 0], [1, 3], [1, 3], [0, 3], [0, 3], [0, 0]], target=2
)

BORDERS = (
    GENE_COUNTS,
    (0, 0, 0, 0, 90, 900),
    (0,) * 6,
    (10, 0, 0, 0, 90, 900),
    (0, 0, 0, 1, 0, 0),
    (0, 1, 1, 0, 0, 0),
    (100_000, 0, 0, 1, 0, 100_000),
)

LESSON = {
    "tying": "single",
    "truth": 0.3,
    "sample": 1,
    "strength": 2.5,
    "branch": 3.0,
    "weight": 0.75,
    "c": [1.5, 0.25, 4.0, 8.0],
}


def in_browser(call: str, given: Any) -> Any:
    """Run the lesson's scripts on some input; the call sees it as ``given``."""
    node, _ = compute_driver_executable()
    program = (
        f"{scripts(*COMPUTE, 'lesson_jobs', 'lesson_game')}\nconst given = {json.dumps(given)};\n"
    )
    program += f"process.stdout.write(JSON.stringify({call}));"
    done = subprocess.run(
        [str(node), "-"], input=program, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def count_tree(parent: Any, ends: Any, counts: Any) -> Any:
    """Make a tree of the counts of its leaves, cases and others by turns."""
    of_leaves = np.reshape(counts, (len(ends), -1))[np.argsort(ends)]
    target, node = 0, len(parent) - 1
    while node > 0:
        node, target = parent[node], target + 1
    return tree_of([parent.count(node) for node in range(len(parent))], of_leaves, target)


def as_given(tree: Any, outcome: int = 0) -> dict[str, Any]:
    return {
        "parent": [-1, *tree.arrays.parent[1:].tolist()],
        "cases": tree.arrays.counts[:, outcome].tolist(),
        "rows": tree.totals.tolist(),
        "outcomes": tree.n_outcomes,
    }


def some_trees() -> list[Any]:
    """Corner cases, the gene example at its borders, and trees at random."""
    random = np.random.default_rng(5)
    trees = [tree for tree in example_trees().values() if tree.n_nodes < 50]
    trees += [count_tree(GENE_PARENT, GENE_ENDS, counts) for counts in BORDERS]
    for _ in range(40):
        n_leaves = int(random.integers(2, 7))
        parent = [-1]
        while len(parent) < 2 * n_leaves - 1:
            leaves = [at for at in range(len(parent)) if at not in parent]
            parent += [int(random.choice(leaves))] * 2
            order = np.argsort(parent, kind="stable")
            if any(parent[i] != parent[order[i]] for i in range(len(parent))):
                parent = parent[:-2]  # not in level order: try another leaf
        ends = tuple(at for at in range(len(parent)) if at not in parent)
        counts = random.integers(0, random.choice([2, 5, 400]), 2 * len(ends))
        trees.append(count_tree(tuple(parent), ends, counts))
    return trees


def test_closed_forms_are_those_of_the_package_on_many_trees() -> None:
    trees = some_trees()
    call = """given.map(([tree, weights]) => tree.parent.map((_, node) => [
        mEstimate(tree, node, 0), mEstimate(tree, node, tree.outcomes), mEstimate(tree, node, 2.5),
        mBranch(tree, node, 3), hgs(tree, node, weights), hgs(tree, node, weights, 0.5)]))"""
    random = np.random.default_rng(1)
    weights = [random.random(tree.n_nodes) * 3 for tree in trees]
    given = [[as_given(tree), w.tolist()] for tree, w in zip(trees, weights, strict=True)]
    by_node = {"fit": "map", "weights": "node"}
    for tree, w, got in zip(trees, weights, in_browser(call, given), strict=True):
        said = [
            MLE().smooth(tree).probs,
            Laplace().smooth(tree).probs,
            MEstimate(strength=2.5).smooth(tree).probs,
            MBranch(strength=3.0).smooth(tree).probs,
            HGS(**by_node, uniform=0.0).with_weights(tree, w).probs,
            HGS(**by_node, uniform=0.5).with_weights(tree, w).probs,
        ]
        expected = np.array(said)[:, :, 0].T
        np.testing.assert_allclose(np.array(got), expected, rtol=1e-12, atol=1e-300)


def naive_dirichlet(tree: Any, node: int, c: list[float]) -> float:
    """Walk down: (n_k + c q) / (n + c), the root from 1/K with two rows."""
    p = 1 / tree.n_outcomes
    for at in tree.path(node):
        mass = 2.0 if at == 0 else c[at]
        p = (tree.arrays.counts[at, 0] + mass * p) / (tree.totals[at] + mass)
    return float(p)


def naive_groups(tree: Any, tying: str) -> list[int]:
    """Number the concentrations: of nodes that share one, in level order; the root has none."""
    parent = tree.arrays.parent.tolist()
    keys: list[Any] = []
    for node in range(1, tree.n_nodes):
        depth = len(tree.path(node))
        shares = {"single": 0, "level": depth, "parent": parent[node], "none": node}
        keys.append(shares[tying])
    order = list(dict.fromkeys(keys))
    return [order.index(key) for key in keys]


def naive_facts(tree: Any, leaf: int, c: list[float]) -> dict[str, float | str | None]:
    """Every number that the words of the lesson can show, one formula at a time."""
    k, n = tree.arrays.counts[:, 0], tree.totals
    up = int(tree.arrays.parent[leaf])
    share = [None if n[at] == 0 else k[at] / n[at] for at in (leaf, up, 0)]
    even = [0.5, 0.5]
    own = naive_m_estimate(tree, leaf, 0.0, even)[0]
    path = tree.path(leaf)
    size = 3.0 * (1 + 0.5 * math.sqrt(n[0]))
    estimate = naive_m_branch(tree, leaf, 3.0)[0]
    strengths = [3.0 * (1 + (1 - 1 / h) * math.sqrt(n[0])) for h in range(len(path), 0, -1)]
    p, walk = 0.5, []
    for at, m in zip(path, strengths, strict=True):
        p = (k[at] + m * p) / (n[at] + m)
        walk.append(p)
    assert walk[-1] == pytest.approx(estimate)
    q = naive_dirichlet(tree, up, c)
    source = next((at for at in reversed(path) if n[at] > 0), 0)
    has_rows = n[0] > 0
    hgs = naive_hgs(tree, leaf, [0.75] * tree.n_nodes, 0.0)[0]
    above = len(tree.path(source)) - 1
    say = n[source] + above * 0.75
    tables = 0.0
    for child in np.flatnonzero(tree.arrays.parent[1:] == up) + 1:
        for rows, menu in ((k[child], c[child] * q), (n[child] - k[child], c[child] * (1 - q))):
            tables += sum(menu / (menu + i) if i else 1.0 for i in range(int(rows)))
    return {
        "rows": n[leaf],
        "cases": k[leaf],
        "others": n[leaf] - k[leaf],
        "outcomes": 2,
        "uniform": 0.5,
        "ownRows": n[source],
        "ownCases": k[source],
        "parentRows": n[up],
        "parentCases": k[up],
        "allRows": n[0],
        "allCases": k[0],
        "seen": share[0],
        "seenParent": share[1],
        "seenAll": share[2],
        "nextLow": k[leaf] / (n[leaf] + 1),
        "nextHigh": (k[leaf] + 1) / (n[leaf] + 1),
        "truth": 0.3,
        "sample": 1,
        "deviation": math.sqrt(0.3 * 0.7),
        "extreme": 1.0,
        "rowsForFive": 84,
        "mle": own if has_rows else None,
        "laplace": naive_m_estimate(tree, leaf, 2.0, even)[0],
        "strength": 2.5,
        "mEstimate": naive_m_estimate(tree, leaf, 2.5, even)[0],
        "rareRows": 1,
        "rareLaplace": 1 / 3,
        "laplaceRows": 19,
        "branch": 3.0,
        "mBranch": estimate,
        "mLeaf": 3.0,
        "mParent": size,
        "mBranchParent": walk[-2],
        "c": c[leaf],
        "q": q,
        "dirichlet": naive_dirichlet(tree, leaf, c),
        "ownShare": n[leaf] / (n[leaf] + c[leaf]),
        "familyTables": tables,
        "passedUp": tables / n[up] if n[up] else None,
        "threeTables": 1 + 1 / 2 + 1 / 3,
        "weight": 0.75,
        "weightRows": "rows",
        "ancestors": above,
        "hgs": hgs if has_rows else None,
        "ancestorsShare": above * 0.75 / say if n[leaf] else 1.0 if has_rows else None,
        "parentLeft": max(n[up] - 1, 0),
        "allLeft": max(n[0] - 1, 0),
        "moreCells": 24,
        "emptyCells": 9,
    }


@pytest.mark.parametrize("tying", ["single", "level", "parent", "none"])
def test_every_number_of_the_lesson(tying: str) -> None:
    """On the example, at the borders of its counts, and on trees at random."""
    random = np.random.default_rng(11)
    trees = [count_tree(GENE_PARENT, GENE_ENDS, counts) for counts in BORDERS]
    leaves = [GENE_LEAF] * len(trees)
    for tree in some_trees()[-40:]:
        trees.append(tree)
        leaves.append(int(random.choice(np.flatnonzero(tree.is_leaf))))
    given = {"trees": [as_given(tree) for tree in trees], "leaves": leaves}
    call = "given.trees.map((tree, i) => lessonFacts(tree, given.leaves[i], given.lesson))"
    got = in_browser(call, {**given, "lesson": {**LESSON, "tying": tying}})
    for tree, leaf, facts in zip(trees, leaves, got, strict=True):
        known = LESSON["c"]  # a group beyond the sliders has the first one's
        groups = naive_groups(tree, tying)
        c = [2.0, *(known[group] if group < len(known) else known[0] for group in groups)]
        expected = naive_facts(tree, leaf, c)
        assert facts.keys() == expected.keys()
        for name, value in expected.items():
            if value is None or isinstance(value, str):
                assert facts[name] == value, name
            else:
                assert facts[name] == pytest.approx(value, rel=1e-12, abs=1e-300), name


def test_every_place_in_the_words_has_a_number() -> None:
    tree = STROKE_TREE
    facts = in_browser(
        "lessonFacts(given.tree, 3, given.lesson)", {"tree": as_given(tree), "lesson": LESSON}
    )
    sampled = {"hdp", "kept", "worth", "low", "high", "sweepSpread", "runError", "meanError"}
    sampled |= {"firstSweep", "lastSweep"}
    judged = {"best", "bestError", "rawError", "bestBias", "bestSpread", "rawBias", "rawSpread"}
    of_runs = {
        "gibbs": sampled | {"meanErrorPoints"},
        "hgs": {"bestWeight"},
        "verdict": judged
        | {"bestErrorPoints", "worldTruth", "repeats", "methods", "reason", "closest", "hdpSure"},
        "branch": {"walkEnd"},
        "network": {"hdpTable", "exact", "cell", "order", "firstColumn", "nextColumn"},
    }
    of_view = {"outcome", "holder", "holderName", "parentName"}
    of_guess = {"guess", "off", "judged", "choice", "place", "choiceError"}
    for step in STEPS:
        known = facts.keys() | of_view | of_runs.get(step["name"], set())
        exercise = step["exercise"]
        words = [step["clue"], *step["explanation"], *step.get("details", ()), step["takeaway"]]
        words += [*step["symbols"].values(), exercise["question"], exercise["solution"]]
        assert exercise["answer"] in known
        assert step["guess"]["answer"] in known | {"", "place"}
        assert places_of(words) <= known
        assert places_of([step["guess"]["said"]]) <= known | of_guess
        used = set(re.findall(r"[A-Za-z]\w*", " ".join(step["formulas"]))) - {"P", "table"}
        assert {name for name in used if not name.startswith("Σ")} <= {*step["symbols"], *"aklrs"}


def places_of(words: list[str]) -> set[str]:
    return set(re.findall(r"\{(\w+)(?:[%#&@~]|:[^}]+)?\}", " ".join(words)))


def test_words_are_filled_with_the_digits_of_the_other_pages() -> None:
    call = "given.map(([words, facts]) => fillWords(words, facts))"
    given = [
        ["{p%} and {q%}", {"p": 0.00042, "q": 1}],
        ["{n&}, {m&}, {n#}", {"n": 1, "m": 2201}],
        ["{p@} and {x~}", {"p": 0.125, "x": 88.4321}],
        ["{p%} {r%}", {"p": None}],
        ["{n:step}, {m:step}, {x:row}", {"n": 1, "m": 2, "x": 67.2784}],
    ]
    filled = [text.replace("\u00a0", " ") for text in in_browser(call, given)]
    assert filled == [
        "0.042 % and 100 %",
        "1 row, 2,201 rows, 1",
        "12.5 points and 88.4",
        "undefined …",
        "1 step, 2 steps, 67.3 rows",
    ]


def test_numbers_that_are_typed_are_taken_as_they_are_or_not_at_all() -> None:
    typed = ["5", " 12 ", "1,000", "-5", "2,5", "2.5", "", "1e3", "100001", "12 rows", "1,00"]
    counts = in_browser("given.map((text) => wholeNumberOf(text, 0, 100000))", typed)
    assert counts == [5, 12, 1000, *[None] * 8]
    typed = ["2,5", "2.5", "-1", "1,000", "", "two", "1,2,3", "."]
    answers = in_browser("given.map((text) => numberOf(text))", typed)
    assert answers == [2.5, 2.5, -1, 1000, *[None] * 4]
    typed = ["84 rows", "1 Row", "84rows", "0.77 points", "84 %", "84 rows more"]
    assert in_browser("given.map(numberOf)", typed) == [84, 1, 84, 0.77, 84, None]


def test_what_is_said_of_leaves_and_trees_without_rows() -> None:
    trees = [as_given(count_tree(GENE_PARENT, GENE_ENDS, counts)) for counts in BORDERS[:4]]
    call = "given.trees.map((tree) => explanationSentences(given.step, tree, 4))"
    step = STEPS[1]
    full, no_men, nothing, empty = in_browser(call, {"trees": trees, "step": step})
    assert full == list(step["explanation"])
    assert empty == no_men
    assert empty[0].endswith(full[0])
    assert empty[1:] == full[1:]
    assert nothing[1:] == [""] * (len(full) - 1)
    facts = in_browser(
        "lessonFacts(given.trees[3], 4, given.lesson)", {"trees": trees, "lesson": LESSON}
    )
    assert places_of([empty[0], nothing[0]]) <= facts.keys() | {"holderName"}
    assert facts["laplace"] == pytest.approx(11 / 12)  # of the parent's 10 of 10


def test_a_seating_passes_tables_up_and_estimates_from_the_root_down() -> None:
    tree = count_tree(GENE_PARENT, GENE_ENDS, (6, 2, 0, 1, 3, 9))
    call = """(() => { const c = [2, 1, 2, 3, 4], p = [0.4, 0.5, 0.3, 0.2, 0.6];
        const seating = new Seating(given, c, p, 3), { guests, tables } = seating;
        seating.finish();
        return { guests, tables, after: afterSeating(given, guests, c) }; })()"""
    got = in_browser(call, as_given(tree))
    tables = [[len(dish) for dish in node] for node in got["tables"]]
    assert got["guests"][3:] == [[6, 2], [0, 1]]
    assert got["guests"][1] == [tables[3][k] + tables[4][k] for k in (0, 1)]
    assert got["guests"][0] == [tables[1][k] + tables[2][k] for k in (0, 1)]
    p: list[float] = []
    for node, (cases, others) in enumerate(got["guests"]):
        mass = [2, 1, 2, 3, 4][node]
        above = 0.5 if node == 0 else p[GENE_PARENT[node]]
        p.append((cases + mass * above) / (cases + others + mass))
    assert got["after"] == pytest.approx(p, rel=1e-12)


def test_what_draws_are_worth_and_where_their_quantiles_lie() -> None:
    random = np.random.default_rng(3)
    slow = np.cumsum(random.normal(size=400)) * 0.1
    alternating = np.tile([0.0, 1.0], 100) + random.normal(size=200) * 0.1
    samples = [random.random(500), slow, alternating, np.ones(50)]
    call = (
        "given.map((draws) => [effectiveSize(draws), quantile(draws, 0.05), quantile(draws, 0.95)])"
    )
    for draws, got in zip(samples, in_browser(call, [s.tolist() for s in samples]), strict=True):
        expected = [effective_sample_size(draws), *np.quantile(draws, [0.05, 0.95])]
        assert got == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("up_to", [300, 120])
def test_sweeps_are_summed_up_without_the_burn_in(up_to: int) -> None:
    """The burn-in is a part of all sweeps, however far the film has come."""
    random = np.random.default_rng(8)
    p, draws = random.random(300), random.random(300)
    given = {"p": p.tolist(), "draws": draws.tolist()}
    got = in_browser(f"[gibbsFacts(given, 10, {up_to}), gibbsFacts(given, 10, 30)]", given)
    p, draws = p[30:up_to], draws[30:up_to]
    worth = round(effective_sample_size(p))
    expected = {
        "from": 30,
        "firstSweep": 31,
        "lastSweep": up_to,
        "hdp": p.mean(),
        "kept": up_to - 30,
        "worth": worth,
        "low": np.quantile(draws, 0.05),
        "high": np.quantile(draws, 0.95),
        "sweepSpread": p.std(),
        "meanError": p.std() / math.sqrt(worth),
        "meanErrorPoints": 100 * p.std() / math.sqrt(worth),
        "runError": math.sqrt(2 / worth) * p.std(),
    }
    if up_to < 300:  # a film is not judged while it runs
        judged = {"worth", "sweepSpread", "meanError", "meanErrorPoints", "runError"}
        expected = {name: value for name, value in expected.items() if name not in judged}
    assert got[0] == pytest.approx(expected, rel=1e-9)
    assert got[1] == {"from": 30}  # nothing is averaged yet


def test_the_voices_of_a_picture_sum_up_to_its_estimate() -> None:
    """Columns as wide as their rows, filled up to their shares: their mean level is the answer."""
    trees = some_trees()
    names = {"constant": "mEstimate", "branch": "mBranch", "dirichlet": "dirichlet", "hgs": "hgs"}
    call = f"""given.trees.map((tree) => {{ const leaf = tree.parent.length - 1;
        const facts = lessonFacts(tree, leaf, given.lesson);
        return {list(names)}.map((step) => [facts[{json.dumps(names)}[step]],
          voicesOf(step, tree, leaf, given.lesson, tree.parent)]); }})"""
    given = {"trees": [as_given(tree) for tree in trees], "lesson": LESSON}
    for steps in in_browser(call, given):
        for answer, found in steps:
            if found is not None and answer is not None:
                rows = [voice["rows"] for voice in found["voices"]]
                shares = [voice["share"] for voice in found["voices"]]
                assert np.average(shares, weights=rows) == pytest.approx(answer, rel=1e-9)
                assert found["estimate"] == pytest.approx(answer, rel=1e-9)


def test_losses_of_rows_left_out_are_those_of_the_package() -> None:
    trees = [tree for tree in some_trees() if tree.n_outcomes == 2]
    got = in_browser(
        "given.map((tree) => WEIGHTS_TRIED.map((w) => leaveOneOutLoss(tree, w)))",
        [as_given(tree) for tree in trees],
    )
    for tree, losses in zip(trees, got, strict=True):
        for weight, loss in list(zip(SINGLE_WEIGHTS, losses, strict=True))[::8]:
            expected = naive_leave_one_out(tree, [weight] * tree.n_nodes, 0.0, False)
            assert loss == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("tying", ["single", "level"])
def test_the_sampler_of_the_browser_says_what_the_package_says(tying: Any) -> None:
    """Both average over random sweeps: they agree as far as these vary; tables also exactly."""
    three = tree_of([2, 2, 0, 0, 0], [[9, 4, 2], [3, 0, 1], [0, 2, 0]])
    trees = [count_tree(GENE_PARENT, GENE_ENDS, counts) for counts in (*BORDERS[:1], BORDERS[3])]
    trees += [count_tree(GENE_PARENT, GENE_ENDS, (3, 1, 0, 2, 5, 9)), STROKE_TREE, three]
    given = [as_given(tree) | {"counts": tree.arrays.counts.tolist()} for tree in trees]
    call = f"""given.map((tree) => finish(
        estimateWork(tree, {{ sweeps: 6000, seed: 5, tying: "{tying}" }})))"""
    for tree, got in zip(trees, in_browser(call, given), strict=True):
        said = HDP(n_iterations=6000, tying=tying).smooth(tree)
        assert got == pytest.approx(said.probs[:, 0], abs=0.02)
    exact = in_browser(
        "['weight', 'height'].map((order) => [tableTree(order).exact, "
        "finish(tableWork({ seed: 3, order }))])",
        None,
    )
    for answers, sampled in exact:
        assert sampled == pytest.approx(answers, abs=0.02)


def test_draws_of_the_browser_have_the_moments_they_should() -> None:
    shapes = [0.05, 0.7, 1.0, 8.5, 400.0]
    call = """given.map((shape) => { const random = randomFrom(9), draws = [];
        for (let i = 0; i < 20000; i++) draws.push(Math.exp(logGammaDraw(shape, random)));
        return [meanOf(draws), spreadOf(draws)]; })"""
    for shape, (mean, spread) in zip(shapes, in_browser(call, shapes), strict=True):
        assert mean == pytest.approx(shape, abs=5 * math.sqrt(shape / 20000))
        assert spread == pytest.approx(math.sqrt(shape), rel=0.2)
    call = """given.map(([n, mass]) => { const random = randomFrom(4), draws = [];
        for (let i = 0; i < 4000; i++) draws.push(tablesDraw(n, mass, random));
        return [meanOf(draws), expectedTables(n, mass)]; })"""
    for mean, expected in in_browser(call, [[0, 1.0], [1, 1e-9], [40, 0.7], [300, 5.0]]):
        assert mean == pytest.approx(expected, abs=0.15)


def test_the_example_is_one_where_it_matters() -> None:
    """Methods lie far apart, and the truth is the share in a large sample of the same world."""
    call = """(() => { const { counts, truth } = ward(), { shape } = WARD;
        const tree = treeOf(shape.parent, shape.ends, counts), lesson = lessonOf({});
        const said = Object.fromEntries(Object.entries(METHODS).map(([name, estimate]) =>
          [name, estimate(tree, shape.leaf, lesson)]));
        const run = estimateWork(tree, { sweeps: 2000, seed: 0, tying: "single" });
        said.hdp = finish(run)[shape.leaf];
        return { counts, truth, said, again: wardCounts(WARD.sample, WARD.seed) }; })()"""
    found = in_browser(call, None)
    assert found["counts"] == found["again"]
    assert sum(found["counts"]) == 200
    assert found["truth"] == pytest.approx(0.35, abs=0.015)
    said = {name: found["said"][name] for name in ("mle", "laplace", "mEstimate", "mBranch")}
    said |= {name: found["said"][name] for name in ("hgs", "hdp")}
    assert max(said.values()) - min(said.values()) > 0.2
    off = {name: abs(value - found["truth"]) for name, value in said.items()}
    assert max(off["mBranch"], off["hgs"], off["hdp"]) < min(off["laplace"], off["mEstimate"])


def test_samples_of_a_world_keep_its_truth_and_grow_row_by_row() -> None:
    call = """Object.keys(WORLDS).map((name) => {
        const world = worldOf(name, subjectOf("gene"), lessonOf({}), 0.3);
        return [world.chances, world.rows, world.ends.indexOf(world.leaf),
                drawSamples(world, 5, 0), drawSamples(world, 6, 0)]; })"""
    for chances, rows, leaf, few, more in in_browser(call, None):
        sizes = np.array([5 if at == leaf else n for at, n in enumerate(rows)])
        counts = np.array(few).reshape(len(few), -1, 2)
        assert (counts.sum(axis=2) == sizes).all()
        shares = counts[:, :, 0].sum(axis=0) / (len(few) * sizes)
        np.testing.assert_allclose(shares, chances, atol=0.05)
        added = np.array(more).reshape(len(few), -1, 2) - counts
        assert np.isin(added[:, leaf, 0], [0, 1]).all()
        assert not np.delete(added, leaf, axis=1).any()


def test_rounds_of_the_game_take_turns_and_smoothing_wins_over_them() -> None:
    call = """Array.from({ length: 10 }, (_, round) => {
        const { seed, world, tree } = drawnLeaf(1, round, subjectOf("gene"));
        const [counts] = drawSamples(world, tree.rows[world.leaf], 1 + round, 1);
        const again = treeOf(world.parent, world.ends, counts);
        const said = ["mle", "hgs"].map((name) => METHODS[name](tree, world.leaf, given));
        const isSame = String(again.cases) === String(tree.cases);
        return [world.title, isSame, world.truth, ...said]; })"""
    rounds = in_browser(call, LESSON)
    titles = in_browser("Object.values(WORLDS).map(({ title }) => title)", None)
    assert [title for title, *_ in rounds] == titles * 2
    assert all(is_same for _, is_same, *_ in rounds)
    raw, smoothed = (sum(abs(each[at] - each[2]) for each in rounds) for at in (3, 4))
    assert smoothed < 0.8 * raw


def test_who_listens_to_all_ancestors_wins_the_game_in_the_long_run() -> None:
    call = """Object.entries(METHODS).map(([name, estimate]) => [name, Array.from(
        { length: 1500 }, (_, number) => {
          const start = 1 + 100 * Math.floor(number / ROUNDS);
          const { world, tree } = drawnLeaf(start, number % ROUNDS, subjectOf("ward"));
          return Math.abs(estimate(tree, world.leaf, given) - world.truth);
        }).reduce((sum, off) => sum + off, 0)])"""
    lost = dict(in_browser(call, LESSON))
    hierarchical = max(lost.pop("mBranch"), lost.pop("hgs"))
    assert hierarchical < 0.9 * min(lost.values())


def test_hdp_is_one_number_in_every_step_about_the_same_counts() -> None:
    call = """["ward", "gene"].map((source) => {
        const subject = subjectOf(source), { ends, leaf, parent } = subject, lesson = lessonOf({});
        const counts = countsOf(subject, lesson), world = worldOf("own", subject, lesson, 0.3);
        const runs = finish(gibbsWork(treeOf(parent, ends, counts), leaf, lesson));
        const { own } = finish(worldWork(world, [], lesson, counts));
        return [gibbsFacts(runs, lesson.burn).hdp, own]; })"""
    for sampled, judged in in_browser(call, None):
        assert sampled == judged


def test_links_are_read_back_and_nonsense_is_as_usual() -> None:
    texts = {"step": "3", "counts": "1-0-3-10-7-22-18-139", "c": "0.25,4", "told": "1"}
    texts |= {"truth": "0.5", "world": "odd", "sweeps": "120", "tying": "level", "cell": "5"}
    odd = {"step": "steps", "counts": "1-2", "c": "0", "told": "2", "truth": "2", "cell": "9"}
    odd |= {"world": "flat", "sweeps": "1e9", "tying": "", "seed": "-1", "weight": "much"}
    call = "given.map((texts) => [lessonOf(texts), textsOf(lessonOf(texts)), USUAL])"
    (lesson, again, usual), (_, strange, _) = in_browser(call, [texts, odd])
    assert set(usual) == set(NAMES)
    assert lesson["counts"] == [1, 0, 3, 10, 7, 22, 18, 139]
    assert again == {**usual, **texts, "step": "hgs"}  # links once numbered the steps
    assert strange == usual
    numbers = {step["number"]: step["name"] for step in STEPS}
    before = {0: "raw", 1: "constant", 2: "branch", 3: "hgs", 4: "gibbs", 5: "verdict"}
    assert before.items() <= numbers.items()


def test_the_verdict_on_a_known_truth() -> None:
    """Over all samples there could be, each as often as it comes up; HDP's on those drawn."""
    sizes, chances, truth, leaf = np.array([3, 2, 4]), (0.3, 0.25, 0.05), 0.25, GENE_LEAF
    cases = np.array(list(product(*(range(size + 1) for size in sizes))))
    weights = binom.pmf(cases, sizes, chances).prod(axis=1)
    counts = np.stack([cases, sizes - cases], axis=2).reshape(len(cases), -1)
    given = {
        "runs": {
            "parent": GENE_PARENT,
            "ends": GENE_ENDS,
            "leaf": leaf,
            "outcomes": 2,
            "chances": chances,
            "counts": counts.tolist(),
            "hdp": np.random.default_rng(4).random(len(cases)).tolist(),
        },
        "truth": truth,
        "lesson": LESSON,
    }
    got = {
        row["name"]: row
        for row in in_browser("verdict(given.runs, given.truth, given.lesson)", given)
    }
    trees = [count_tree(GENE_PARENT, GENE_ENDS, row) for row in counts]
    even = [0.5, 0.5]
    said = {
        "mle": [naive_m_estimate(tree, leaf, 0.0, even)[0] for tree in trees],
        "laplace": [naive_m_estimate(tree, leaf, 2.0, even)[0] for tree in trees],
        "mEstimate": [naive_m_estimate(tree, leaf, 2.5, even)[0] for tree in trees],
        "mBranch": [naive_m_branch(tree, leaf, 3.0)[0] for tree in trees],
        "hgs": [naive_hgs(tree, leaf, [0.75] * tree.n_nodes, 0.0)[0] for tree in trees],
        "dirichlet": [naive_dirichlet(tree, leaf, [2.0] + [1.5] * tree.n_nodes) for tree in trees],
        "parent": [naive_m_estimate(tree, GENE_PARENT[leaf], 0.0, even)[0] for tree in trees],
        "hdp": given["runs"]["hdp"],
    }
    options = next(step["guess"]["options"] for step in STEPS if step["name"] == "verdict")
    assert got.keys() == said.keys() == options.keys()
    for name, values in said.items():
        shares = np.full(len(cases), 1 / len(cases)) if name == "hdp" else weights
        mean = shares @ values
        assert got[name]["mean"] == pytest.approx(mean, rel=1e-9)
        assert got[name]["bias"] == pytest.approx(abs(mean - truth), abs=1e-12)
        spread, off = (shares @ (np.array(values) - at) ** 2 for at in (mean, truth))
        assert got[name]["spread"] == pytest.approx(np.sqrt(spread), rel=1e-9, abs=1e-12)
        assert got[name]["error"] == pytest.approx(np.sqrt(off), rel=1e-9)
        assert got[name]["low"] == pytest.approx(np.quantile(values, 0.05), rel=1e-12, abs=1e-15)
        assert (got[name]["sure"] > 0) == (name == "hdp")


def test_a_raw_share_is_as_far_off_in_the_verdict_as_in_the_first_step() -> None:
    call = """["ward", "gene"].map((source) => {
        const subject = subjectOf(source), { usual: { truth, leaf_rows: n } } = subject;
        const world = worldOf("own", subject, lessonOf({}), truth);
        const runs = { ...world, counts: drawSamples(world, n, 0), hdp: [0.1, 0.2] };
        const raw = verdict(runs, truth, lessonOf({})).find(({ name }) => name === "mle");
        return [raw.error, swingOf(truth, n).deviation]; })"""
    for judged, told in in_browser(call, None):
        assert judged == pytest.approx(told, rel=1e-9)
