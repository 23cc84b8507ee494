// Every number that the lesson's words and pictures use, by name, for one tree and one setting.

// "0.042 %" rather than "0.0 %": the same digits as words.py.
function percent(p) {
  if (p === null || p === undefined || Number.isNaN(p)) return "undefined";
  if (p <= 0 || p >= 1) return `${Math.round(p * 100)} %`;
  const distance = Math.min(p, 1 - p);
  if (distance < 1e-5) return p < 0.5 ? "< 0.001 %" : "> 99.999 %";
  return `${(p * 100).toFixed(Math.max(1, Math.min(3, -Math.floor(Math.log10(distance)) - 1)))} %`;
}

const COUNTS = new Intl.NumberFormat("en", { maximumFractionDigits: 2 }); // made once: making it is what takes time
function countText(value) { return COUNTS.format(value); }

function roughly(value) {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  return Math.abs(value) >= 100 ? countText(Math.round(value)) : String(Number(value.toPrecision(3)));
}

function fourDigits(value) { return Number.isInteger(value) ? countText(value) : String(Number(value.toPrecision(4))); }

const RARE_ROWS = 1;
const HDP_ROOT = 2;
// A third parent of four values in the network's table of 2 x 3 cells and 15 patients.
const MORE_CELLS = 2 * 3 * 4, PATIENTS = 15;

// The concentration of every node, from the sliders of the groups that share one.
function concentrationOf(tree, lesson) {
  return groupsOf(tree, lesson.tying).map((group) => (group < 0 ? HDP_ROOT : lesson.c[group] ?? lesson.c[0]));
}

function lessonFacts(tree, leaf, lesson) {
  const up = leaf === 0 ? 0 : tree.parent[leaf], K = tree.outcomes;
  const rows = tree.rows[leaf], cases = tree.cases[leaf];
  const branch = mBranchSteps(tree, leaf, lesson.branch), concentration = concentrationOf(tree, lesson);
  const chain = dirichletSteps(tree, leaf, concentration, HDP_ROOT);
  const weights = tree.parent.map(() => lesson.weight);
  const ancestors = pathTo(tree, withRows(tree, leaf)).length - 1;
  const swing = swingOf(lesson.truth, lesson.sample);
  const own = withRows(tree, leaf), c = chain.at(-1).c, q = chain.at(-1).q, sizeOfSay = tree.rows[own] + ancestors * lesson.weight;
  const hasRows = tree.rows[0] > 0, ifRows = (value) => (hasRows ? value : null);
  const familyTables = tree.parent.reduce((sum, at, node) => sum + (node > 0 && at === up ? tablesOf(tree, node, concentration[node], q) : 0), 0);
  return {
    rows, cases, others: rows - cases, outcomes: K, uniform: 1 / K, ownRows: tree.rows[own], ownCases: tree.cases[own],
    parentRows: tree.rows[up], parentCases: tree.cases[up], allRows: tree.rows[0], allCases: tree.cases[0],
    seen: observed(tree, leaf), seenParent: observed(tree, up), seenAll: observed(tree, 0),
    nextLow: cases / (rows + 1), nextHigh: (cases + 1) / (rows + 1),
    truth: lesson.truth, sample: lesson.sample, deviation: swing.deviation, extreme: swing.extreme,
    rowsForFive: Math.max(1, Math.ceil(lesson.truth * (1 - lesson.truth) / 0.0025 - 1e-9)),
    mle: ifRows(mEstimate(tree, leaf, 0)), laplace: mEstimate(tree, leaf, K), strength: lesson.strength,
    mEstimate: hasRows || lesson.strength > 0 ? mEstimate(tree, leaf, lesson.strength) : null,
    rareRows: RARE_ROWS, rareLaplace: 1 / (RARE_ROWS + K), laplaceRows: Math.max(0, 20 - K) + 1,
    branch: lesson.branch, mBranch: branch.at(-1).p, mLeaf: branch.at(-1).m,
    mParent: branch.at(-2)?.m ?? branch.at(-1).m, mBranchParent: branch.at(-2)?.p ?? 1 / K,
    c, q, dirichlet: chain.at(-1).p, ownShare: rows + c > 0 ? rows / (rows + c) : 0,
    familyTables, passedUp: tree.rows[up] > 0 ? familyTables / tree.rows[up] : null,
    threeTables: expectedTables(3, 1),
    weight: lesson.weight, weightRows: lesson.weight === 1 ? "row" : "rows", ancestors, hgs: ifRows(hgs(tree, leaf, weights)),
    ancestorsShare: rows > 0 ? ancestors * lesson.weight / sizeOfSay : ifRows(1),
    parentLeft: Math.max(tree.rows[up] - 1, 0), allLeft: Math.max(tree.rows[0] - 1, 0),
    moreCells: MORE_CELLS, emptyCells: MORE_CELLS - PATIENTS,
  };
}

const NO_ROWS = "Without any row there is nothing to learn from: raw shares are 0/0, undefined, and so is what is made of them. Methods that imagine rows say what they believe beforehand, the even {uniform%}.";
const EMPTY_LEAF = "No row is here, so the raw share, Laplace, the m-estimate and HGS let the nearest ancestor that has rows answer: “{holderName}”, {ownCases#} of {ownRows#}.";

// The explanation; one sentence says what becomes of it where the leaf, or the whole tree, has no rows.
function explanationSentences(step, tree, leaf) {
  if (!(tree.rows[0] > 0)) return step.explanation.map((_, i) => (i === 0 ? NO_ROWS : ""));
  return step.explanation.map((words, i) => (i === 0 && !(tree.rows[leaf] > 0) ? `${EMPTY_LEAF} ${words}` : words));
}

// Tables that the customers of a node are expected to take, whose parent's menu has the dish by q.
function tablesOf(tree, node, c, q) {
  const cases = Math.round(tree.cases[node]);
  return expectedTables(cases, c * q) + expectedTables(Math.round(tree.rows[node]) - cases, c * (1 - q));
}

// Who has a say about a node, and for how many rows each speaks: by these weights their shares make the
// estimate. M-branch asks at the node that its walk has come to.
function voicesOf(step, tree, leaf, lesson, names, walked = pathTo(tree, leaf).length) {
  const holder = withRows(tree, leaf), own = (node) => ({ name: names[node], rows: tree.rows[node], share: observed(tree, node) ?? 0 });
  const lent = ({ node, m, c = m, q }) => [own(node), { name: node === 0 ? "evenly" : `like ${names[tree.parent[node]]}`, rows: c, share: q }];
  const chain = () => lent(dirichletSteps(tree, leaf, concentrationOf(tree, lesson), HDP_ROOT).at(-1));
  const voices = {
    constant: () => [own(holder), { name: "imagined", rows: lesson.strength, share: 1 / tree.outcomes }],
    branch: () => lent(mBranchSteps(tree, leaf, lesson.branch)[walked - 1]),
    dirichlet: chain, network: chain,
    hgs: () => [...pathTo(tree, holder)].reverse().map((node) => (node === holder ? own(node) : { ...own(node), rows: lesson.weight })),
  }[step]();
  const total = voices.reduce((sum, { rows }) => sum + rows, 0);
  return total > 0 ? { voices, estimate: voices.reduce((sum, { rows, share }) => sum + rows * share, 0) / total } : null;
}

// What the sampler's sweeps say so far: those of the burn-in are never averaged.
function gibbsFacts(runs, burn, upTo = runs.p.length) {
  const from = Math.min(Math.floor(burn / 100 * runs.p.length), runs.p.length - 1);
  if (upTo <= from) return { from };
  if (runs.facts?.from === from && runs.facts.lastSweep === upTo) return runs.facts;
  const p = runs.p.slice(from, upTo), draws = runs.draws.slice(from, upTo);
  runs.facts = { from, firstSweep: from + 1, lastSweep: upTo, hdp: meanOf(p), kept: p.length, low: quantile(draws, 0.05), high: quantile(draws, 0.95) };
  if (upTo < runs.p.length) return runs.facts; // a film is not judged while it runs
  const worth = Math.max(Math.round(effectiveSize(p)), 1), sweepSpread = spreadOf(p), meanError = sweepSpread / Math.sqrt(worth);
  return Object.assign(runs.facts, { worth, sweepSpread, meanError, meanErrorPoints: meanError * 100, runError: Math.SQRT2 * meanError });
}

const METHODS = {
  mle: (tree, leaf) => mEstimate(tree, leaf, 0),
  laplace: (tree, leaf) => mEstimate(tree, leaf, tree.outcomes),
  mEstimate: (tree, leaf, lesson) => mEstimate(tree, leaf, lesson.strength),
  mBranch: (tree, leaf, lesson) => mBranch(tree, leaf, lesson.branch),
  dirichlet: (tree, leaf, lesson) => dirichletSteps(tree, leaf, concentrationOf(tree, lesson)).at(-1).p,
  hgs: (tree, leaf, lesson) => hgs(tree, leaf, tree.parent.map(() => lesson.weight)),
  parent: (tree, leaf) => mEstimate(tree, leaf === 0 ? 0 : tree.parent[leaf], 0),
};

// What a method says on average over all samples there could be, and how far that spreads: it is linear in
// the cases of the leaves, which are drawn independently.
function exactly({ parent, ends, leaf, outcomes, chances, counts: [counts] }, estimate, lesson) {
  const rows = ends.map((_, i) => counts[2 * i] + counts[2 * i + 1]), sum = (part) => rows.reduce((all, n, i) => all + (n > 0 ? part(said(i) - start, n, chances[i]) : 0), 0);
  const said = (one) => estimate(treeOf(parent, ends, rows.flatMap((n, i) => (i === one ? [1, n - 1] : [0, n])), outcomes), leaf, lesson), start = said(-1);
  return [start + sum((step, n, p) => step * n * p), Math.sqrt(sum((step, n, p) => step ** 2 * n * p * (1 - p)))];
}

// How far from a truth each method is on average (bias), how it spreads, how far off it typically is, exactly; of
// HDP on samples, and how sure that is (two standard errors). The best comes first.
// runs = { parent, ends, leaf, outcomes, chances, counts: one list per sample, hdp: one number per sample }.
function verdict(runs, truth, lesson) {
  const trees = runs.counts.map((counts) => treeOf(runs.parent, runs.ends, counts, runs.outcomes)), off = runs.hdp.map((value) => (value - truth) ** 2);
  const row = (name, values, [mean, spread]) => ({ name, mean, spread, low: quantile(values, 0.05), high: quantile(values, 0.95), bias: Math.abs(mean - truth), error: Math.hypot(mean - truth, spread), sure: 0 });
  const rows = Object.entries(METHODS).map(([name, estimate]) => row(name, trees.map((tree) => estimate(tree, runs.leaf, lesson)), exactly(runs, estimate, lesson)));
  const hdp = row("hdp", runs.hdp, [meanOf(runs.hdp), spreadOf(runs.hdp)]);
  return [...rows, { ...hdp, sure: spreadOf(off) / Math.sqrt(off.length) / Math.max(hdp.error, 1e-9) }].sort((a, b) => a.error - b.error);
}

// Methods that differ by less than 0.2 points, or than samples tell, are called level.
function isBetter(one, other) { return other.error - one.error > Math.max(0.002, one.sure, other.sure); }

// Why a method comes closest to this truth: where it pulls the leaf, and how far from there the truth lies.
// A method that knows nothing of the tree can be lucky; then that is said.
function verdictReason(runs, rows, truth) {
  const even = 1 / runs.outcomes, away = (place) => `${pointsText(Math.abs(truth - place))} from there`, parent = rows.find(({ name }) => name === "parent").mean;
  if (["laplace", "mEstimate"].includes(rows[0].name)) return `It pulls every leaf to ${percent(even)}, whatever the tree says, and this truth happens to lie ${away(even)}: luck, which another truth undoes.`;
  return `It ${rows[0].name === "mle" ? "does not listen" : "listens"} to the parent, whose rows say ${percent(parent)} on average; this truth lies ${away(parent)}.`;
}

function pointsText(value) { return `${(value * 100).toFixed(value > 0 && value < 0.01 ? 2 : 1)} points`; }

function rowsText(value) { return `${countText(value)} ${value === 1 ? "row" : "rows"}`; }

// A whole number as somebody types it, "1,000" or "1000"; null for anything else.
function wholeNumberOf(text, low, high) {
  const plain = text.trim();
  if (!/^(\d+|\d{1,3}(,\d{3})+)$/.test(plain)) return null;
  const value = Number(plain.replace(/,/g, ""));
  return value >= low && value <= high ? value : null;
}

// Any number as somebody types it, with a decimal point or comma, and what it counts ("84 rows") or %
// behind it; null for anything else.
function numberOf(text) {
  let plain = text.trim().replace(/(\d)\s*(%|[a-z]+)$/i, "$1");
  plain = /^-?\d{1,3}(,\d{3})+$/.test(plain) ? plain.replace(/,/g, "") : plain.replace(",", ".");
  return /^-?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : null;
}

// Fills {name%} (a percentage), {name#} (a count), {name&} (rows), {name@} (points), {name~} (a
// number), {name:word} (a count of things), {name} (a text). What is not known yet is "…".
function fillWords(words, facts) {
  const how = { "%": percent, "#": countText, "&": rowsText, "@": pointsText, "~": roughly };
  const fill = (_, name, kind, thing) => {
    const value = facts[name];
    if (value === undefined) return "…";
    return thing ? `${Number.isInteger(value) ? countText(value) : roughly(value)} ${thing}${value === 1 ? "" : "s"}` : kind ? how[kind](value) : String(value);
  };
  return words.replace(/\{(\w+)(?:([%#&@~])|:([^}]+))?\}/g, fill).replace(/ %/g, "\u00a0%");
}
