"""Steps 4 to 6: the Dirichlet hierarchy, its restaurants, and the sampler that learns them."""

from __future__ import annotations

from probtrees.ui.learn.words.step import HDP, HGS, LEAF_COUNTS, THESIS, Exercise, Guess, Step

DIRICHLET = Step(
    name="dirichlet",
    number=6,
    title="A family of chances",
    question="And if children resemble their parents?",
    clue="Before any row of the leaf is seen, its parent's estimate is the best guess. One "
    "number, c, says how close to it children usually lie. With c = {c~}, where does the leaf end?",
    guess=Guess("dirichlet", "Your guess: {guess%}, {off@} from the Dirichlet's {dirichlet%}."),
    explanation=(
        "Every node's chance is drawn around its parent's: a Dirichlet whose mean is the "
        "parent's {q%} and whose concentration is c. Small c: children do as they like. Large "
        "c: they resemble their parents.",
        "With c = {c~} the leaf ({rows&}) has {ownShare%} of the say and its parent the "
        "rest: {dirichlet%}. The picture shows what is believed before and after the leaf's "
        "rows are seen.",
    ),
    takeaway="Smoothing is a belief about families: c says how much children resemble parents.",
    sources=(f"{HDP}, eq. 6 to 9", f"{THESIS}, eq. 19", f"{HGS}, eq. 3"),
    formulas=("p = {n_k + c·q}/{n + c}",),
    symbols={
        "p": "the estimate",
        **LEAF_COUNTS,
        "c": "{c~}: rows that the parent counts for; above the root stand 2, spread evenly",
        "q": "{q%}: the parent's estimate",
    },
    exercise=Exercise(
        "At which c do a leaf's rows and its parent have an equal say? Answer for this leaf.",
        "rows",
        0.01,
        "n/(n + c) is one half at c = n = {rows#}.",
        unit="row",
        needs="rows",
    ),
)

RESTAURANT = Step(
    name="restaurant",
    number=7,
    title="The restaurant",
    question="How much of the children's data is news to their parent?",
    clue="Ten equal rows in one leaf are no ten witnesses for its parent. The children of "
    "{parentName} hold {parentRows&}. How large a share of them should be passed up?",
    guess=Guess(
        "passedUp",
        "Your guess: {guess%} of the rows. Expected are {passedUp%} ({familyTables~} of "
        "{parentRows&}), {off@} from it.",
        is_chance=False,
    ),
    explanation=(
        "Every node is a restaurant, its rows are the customers, outcomes the dishes. A "
        "customer joins a table where the dish is served, or opens a table and orders it from "
        "the parent's menu. Where i customers already eat a dish, the next who wants it opens a "
        "new table with chance c·q/(c·q + i).",
        "Each table is one customer of the parent's restaurant: t tables of n customers are "
        "passed up as pseudo-counts. Of the {parentRows&} of these children, {familyTables~} "
        "are expected to be passed up ({passedUp%}).",
        "Nodes that share one c are tied: all of them (single), those of one depth (level), "
        "siblings (parent), or none.",
    ),
    takeaway="A parent counts tables, not customers: repetition within one child is old news.",
    sources=(
        f"{HDP}, sec. 4.2, eq. 10 and 11, sec. 4.3.1, eq. 12",
        "Teh et al. (2006)",
        f"{THESIS}, sec. 2.3.3",
    ),
    formulas=("P(table) = {c·q}/{c·q + i}", "p = {n_k + c·q}/{n + c}"),
    symbols={
        "c": "concentration of the node",
        "q": "the dish's share of the parent's menu",
        "i": "customers who already eat this dish here",
        "n_k": "customers of the dish: rows of a leaf, tables passed up to an inner node",
        "n": "all customers of the node",
        "p": "the node's estimate, from the root down",
    },
    exercise=Exercise(
        "Three customers order the same dish and c·q = 1. How many tables are expected?",
        "threeTables",
        0.01,
        "1 + 1/2 + 1/3 = {threeTables~}.",
        unit="table",
    ),
    empty={
        1: "Each table is one customer of the parent's restaurant: t tables of n customers are "
        "passed up as pseudo-counts. An empty leaf passes nothing up. Of the {parentRows&} of "
        "these children, {familyTables~} are expected to be passed up ({passedUp%}).",
    },
    no_rows={
        1: "Each table is one customer of the parent's restaurant: t tables of n customers are "
        "passed up as pseudo-counts. Without rows there are no customers, and nothing is passed "
        "up.",
    },
)

GIBBS = Step(
    name="gibbs",
    number=4,
    title="Gibbs sampling",
    question="What remains when c and the tables are learned as well?",
    clue="Nobody knows the tables or c, so a sampler draws plausible ones, sweep by sweep, and "
    "averages. Where does the leaf end?",
    guess=Guess("hdp", "Your guess: {guess%}, {off@} from HDP's {hdp%}."),
    explanation=(
        "Each sweep seats everybody again, draws c, and notes the leaf's estimate. The first "
        "sweeps only find the way (burn-in) and are dropped.",
        "HDP says {hdp%}, the mean of {kept:sweep}, worth as much as {worth:independent one}. "
        "90 % of the draws of the leaf's chance lie between {low%} and {high%} (the 5 % and "
        "95 % points of the draws themselves).",
        "Another run, with another seed or on the Tree page, ends about {runError@} away from "
        "this one: √2 times the error of a single mean, since both have one. The interval holds "
        "for this tree. It does not cover that the same rows chose the tree, nor that the future "
        "may differ.",
    ),
    takeaway="HDP learns how alike parents and children are, and says how unsure it is.",
    sources=(f"{HDP}, sec. 4.3", f"{THESIS}, algorithm 14"),
    formulas=("p = {1}/{S}·Σ_s p_s",),
    symbols={
        "p": "{hdp%}: the mean over the sweeps",
        "S": "{kept:sweep} after burn-in",
        "p_s": "the leaf's estimate given the tables and c of sweep s",
    },
    exercise=Exercise(
        "Over the sweeps p_s spreads by {sweepSpread@} (standard deviation). Worth "
        "{worth:independent sweep}, by how many points is the mean itself uncertain?",
        "meanErrorPoints",
        0.05,
        "{sweepSpread@}/√{worth#} = {meanError@}. More sweeps shrink that, never the interval of "
        "the leaf's chance: only more rows do.",
        unit="point",
        needs="sweepSpread",
    ),
    no_rows={
        1: "Without any row there is nothing to learn: every sweep says the even {uniform%}, and "
        "the draws show what is believed before anything is seen, 90 % of it between {low%} and "
        "{high%}.",
        2: "Only rows can narrow that; no number of sweeps does.",
    },
)
