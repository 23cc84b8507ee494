"""Steps 1 to 6 of the lesson: from the raw share of a leaf to families of chances.

The raw share, imagined rows, what a parent lends; the Dirichlet hierarchy, its restaurants, and the
sampler that learns them.
"""

from __future__ import annotations

from probtrees.ui.learn.step import (
    HDP,
    HGS,
    HOLDER_COUNTS,
    LEAF_COUNTS,
    THESIS,
    Exercise,
    Guess,
    Step,
)

RAW = Step(
    name="raw",
    number=0,
    title="A leaf of few rows",
    question="What is the true chance in this leaf?",
    clue="The leaf holds {rows&}, {cases#} of them with {outcome}. What would you bet on "
    "the next one?",
    guess=Guess(
        "",
        "Your guess: {guess%}. Nobody knows the truth of a leaf. If it is {guess%}, a leaf like "
        "this one ({cases#} of {rows#}) comes up in {likeThis%} of all samples.",
    ),
    explanation=(
        "The raw share says {mle%}. One more row in the leaf turns that into {nextLow%} or "
        "{nextHigh%}: the fewer rows, the wilder the swing.",
        "Repeat the experiment: let the truth be {truth%} and draw {sample&}, again and "
        "again. {extreme%} of such samples say exactly 0 % or 100 %, and a raw share is "
        "typically {deviation@} off.",
    ),
    takeaway="The raw share of a few rows says more about luck than about the chance.",
    sources=(f"{THESIS}, eq. 6 (maximum likelihood)", "Provost and Domingos (2003)"),
    formulas=("p = {n_k}/{n}",),
    symbols={"p": "the estimate", **HOLDER_COUNTS},
    exercise=Exercise(
        "With this truth, how many rows does it take at least until a raw share is typically at "
        "most 5 points off?",
        "rowsForFive",
        0,
        "p(1 − p)/n ≤ 0.05² holds from n = {rowsForFive#} on.",
        unit="row",
    ),
    empty={
        0: "The leaf is empty: its raw share is 0/0, which is no number. The nearest ancestor that "
        "has rows answers instead: “{holderName}”, {ownCases#} of {ownRows#}, says {mle%}.",
    },
    no_rows={0: "Without any row there is no raw share: 0/0 is undefined."},
)

CONSTANT = Step(
    name="constant",
    number=1,
    title="Laplace, m-estimate",
    question="What do a few imagined rows make of it?",
    clue="Laplace adds one imagined row of every outcome. Where does that end?",
    guess=Guess("laplace", "Your guess: {guess%}, {off@} from Laplace's {laplace%}."),
    explanation=(
        "Laplace adds one row of every outcome and says {laplace%}. The m-estimate adds m rows "
        "in all, spread evenly: with m = {strength~} it says {mEstimate%}.",
        "Neither looks at the parents. For a rare outcome that is a heavy hand: a leaf of "
        "{rareRows#} rows without a case gets {rareLaplace%} by Laplace, whatever the overall "
        "rate is; here it is {seenAll%}.",
    ),
    takeaway="Imagined rows end the certainty of 0 % and 100 %, but pull every leaf to the "
    "same place.",
    sources=(
        f"{THESIS}, eq. 15 (Laplace), eq. 16 (m-estimate)",
        f"{HGS}, eq. 1",
        "Cestnik (1990)",
    ),
    formulas=("p = {n_k + m·b}/{n + m}",),
    symbols={
        "p": "the estimate",
        **HOLDER_COUNTS,
        "m": "{strength:imagined row}; Laplace: {outcomes#}",
        "b": "{uniform%}: an even share",
    },
    exercise=Exercise(
        "How many rows, none of them a case, does it take at least until Laplace says less than "
        "5 %?",
        "laplaceRows",
        0,
        "1/(n + {outcomes#}) < 0.05 from n = {laplaceRows#} on, however rare the outcome is.",
        unit="row",
    ),
    empty={
        0: "The leaf is empty. Laplace and the m-estimate would only repeat the even {uniform%}, "
        "so here the nearest ancestor that has rows answers: “{holderName}”, {ownCases#} of "
        "{ownRows#}. Laplace adds one row of every outcome to those and says {laplace%}; with "
        "m = {strength~} the m-estimate says {mEstimate%}.",
        1: "A leaf that has rows never asks its parents. For a rare outcome that is a heavy hand: "
        "a leaf of {rareRows#} rows without a case gets {rareLaplace%} by Laplace, whatever the "
        "overall rate is; here it is {seenAll%}.",
    },
    no_rows={
        0: "Without any row only the imagined ones are left: Laplace says {laplace%}, and so does "
        "the m-estimate for any m above 0.",
        1: "For a rare outcome that is a heavy hand: a leaf of {rareRows#} rows without a case "
        "gets {rareLaplace%} by Laplace, whatever the overall rate is.",
    },
)

BRANCH = Step(
    name="branch",
    number=2,
    title="Borrow from the parent",
    question="Where does a walk from the root to the leaf end?",
    clue="The parent holds {parentRows&}, {parentCases#} of them with {outcome}. M-branch walks "
    "from the root to the leaf, and every node listens to the one before. Which chance does the "
    "leaf end with?",
    guess=Guess("walkEnd", "Your guess: {guess%}, {off@} from M-branch's {walkEnd%}."),
    explanation=(
        "Back off: skip nodes of fewer than {least&}, and the answer is {backOff%}, of "
        "{backOffRows&}. Interpolate: {mix%} parent, the rest leaf, gives "
        "{interpolated%}.",
        "M-branch does it at every node, from the root down: each mixes its rows with m imagined "
        "ones that look like its parent's estimate.",
        "Its walk ends at {walkEnd%}. Its strength m grows with the whole table: "
        "{mParent:imagined row} at the parent, which has {parentRows#}. Observed there: "
        "{seenParent%}; estimated: {mBranchParent%}, and that is what the leaf borrows from.",
    ),
    takeaway="A leaf should listen to its parent before it listens to nobody; the question is "
    "how much.",
    sources=(
        "Ferri, Flach and Hernández-Orallo (2003), M-branch",
        f"{THESIS}, eq. 17 and 18",
        f"{HGS}, eq. 2",
    ),
    formulas=("p = {n_k + m·q}/{n + m}", "m = M·(1 + (1 − {1}/{h})·√{N})"),
    symbols={
        "p": "the estimate of a node",
        "n_k": "its rows with {outcome}",
        "n": "its rows",
        "q": "its parent's estimate; above the root {uniform%}",
        "M": "{branch~}, which you set",
        "m": "imagined rows that look like the parent: {mLeaf~} at the leaf",
        "h": "nodes from here to the end of the branch",
        "N": "{allRows&} in the root",
    },
    exercise=Exercise(
        "What is m at the leaf itself, where h = 1?",
        "mLeaf",
        0.01,
        "1 − 1/h is 0 there, so m = M = {mLeaf~}.",
        unit="row",
    ),
    empty={
        0: "Back off: skip nodes of fewer than {least&}, and the answer is {backOff%}, of "
        "{backOffRows&}. Interpolate: the empty leaf has no share to mix in, so whatever λ is, "
        "“{holderName}” alone answers, {interpolated%}.",
    },
    no_rows={
        0: "Without any row there is nothing to back off to, and nothing to interpolate: both are "
        "undefined.",
        2: "Its walk begins at the even {uniform%} and, without a row on the way, ends there: "
        "{walkEnd%}.",
    },
)

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
