"""Steps 1 to 3: the raw share, imagined rows, and what a parent lends."""

from __future__ import annotations

from probtrees.ui.learn.words.step import HGS, HOLDER_COUNTS, THESIS, Exercise, Guess, Step

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
