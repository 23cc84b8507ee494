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
  const weights = tree.parent.map(() => lesson.weight), backed = backOff(tree, leaf, lesson.least);
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
    least: lesson.least, backOff: ifRows(backed.p), backOffRows: tree.rows[backed.node],
    mix: lesson.mix, interpolated: ifRows(interpolate(tree, leaf, lesson.mix)),
    branch: lesson.branch, mBranch: branch.at(-1).p, mLeaf: branch.at(-1).m,
    mParent: branch.at(-2)?.m ?? branch.at(-1).m, mBranchParent: branch.at(-2)?.p ?? 1 / K,
    c, q, dirichlet: chain.at(-1).p, ownShare: rows + c > 0 ? rows / (rows + c) : 0,
    priorLow: c * q, priorHigh: c * (1 - q),
    familyTables, passedUp: tree.rows[up] > 0 ? familyTables / tree.rows[up] : null,
    threeTables: expectedTables(3, 1),
    weight: lesson.weight, weightRows: lesson.weight === 1 ? "row" : "rows", ancestors, hgs: ifRows(hgs(tree, leaf, weights)), hgsOne: ifRows(hgs(tree, leaf, tree.parent.map(() => 1))),
    ancestorsShare: rows > 0 ? ancestors * lesson.weight / sizeOfSay : ifRows(1),
    parentLeft: Math.max(tree.rows[up] - 1, 0), allLeft: Math.max(tree.rows[0] - 1, 0),
    moreCells: MORE_CELLS, emptyCells: MORE_CELLS - PATIENTS,
  };
}

const NO_ROWS = "Without any row there is nothing to learn from: raw shares are 0/0, undefined, and so is what is made of them. Methods that imagine rows say what they believe beforehand, the even {uniform%}.";
const EMPTY_LEAF = "No row is here, so the raw share, Laplace, the m-estimate, interpolation and HGS let the nearest ancestor that has rows answer: “{holderName}”, {ownCases#} of {ownRows#}.";

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

// What the sampler's sweeps say, those of the burn-in dropped.
function gibbsFacts(runs, burn) {
  const from = Math.min(Math.floor(burn / 100 * runs.p.length), runs.p.length - 1);
  const p = runs.p.slice(from), draws = runs.draws.slice(from), worth = Math.max(Math.round(effectiveSize(p)), 1);
  const sweepSpread = spreadOf(p), meanError = sweepSpread / Math.sqrt(worth);
  return { from, hdp: meanOf(p), kept: p.length, worth, low: quantile(draws, 0.05), high: quantile(draws, 0.95), sweepSpread, meanError, meanErrorPoints: meanError * 100, runError: Math.SQRT2 * meanError };
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

// What each method says on samples of a known truth: mean, 90 % band, and how far off it is, which
// is made of how far its mean is (bias) and how its answers spread. The best comes first.
// runs = { parent, ends, leaf, outcomes, counts: one list per sample, hdp: one number per sample }.
function verdict(runs, truth, lesson) {
  const said = Object.fromEntries(Object.keys(METHODS).map((name) => [name, []]));
  for (const counts of runs.counts) {
    const tree = treeOf(runs.parent, runs.ends, counts, runs.outcomes);
    for (const [name, estimate] of Object.entries(METHODS)) said[name].push(estimate(tree, runs.leaf, lesson));
  }
  if (runs.hdp) said.hdp = runs.hdp;
  return Object.entries(said).map(([name, values]) => ({
    name, mean: meanOf(values), low: quantile(values, 0.05), high: quantile(values, 0.95),
    bias: Math.abs(meanOf(values) - truth), spread: spreadOf(values),
    error: Math.sqrt(meanOf(values.map((value) => (value - truth) ** 2))),
  })).sort((a, b) => a.error - b.error);
}

// Why a method comes closest to this truth: where it pulls the leaf, and how far from there the
// truth lies. A method that knows nothing of the tree can be lucky; then that is said.
function verdictReason(runs, rows, truth) {
  const even = 1 / runs.outcomes, away = (place) => `${pointsText(Math.abs(truth - place))} from there`;
  const parent = rows.find((row) => row.name === "parent").mean;
  const all = meanOf(runs.counts.map((counts) => observed(treeOf(runs.parent, runs.ends, counts), 0) ?? even));
  const family = `It listens to the parent, whose rows say ${percent(parent)} on average; this truth lies ${away(parent)}.`;
  const blind = `It pulls every leaf to ${percent(even)}, whatever the tree says, and this truth happens to lie ${away(even)}: luck, which another truth undoes.`;
  const isBetween = (truth - all) * (truth - parent) <= 0;
  const reasons = { laplace: blind, mEstimate: blind,
    mBranch: `Its large m pulls the leaf towards all rows (${percent(all)}) as well as towards the parent (${percent(parent)}), and this truth lies ${isBetween ? "between the two" : "near them"}.`,
    mle: `It listens to nobody, which pays here: the parent's rows say ${percent(parent)}, and this truth lies ${away(parent)}.` };
  const place = (name) => rows.findIndex((row) => row.name === name), [best] = rows;
  const isLucky = best.name !== "laplace" && best.name !== "mEstimate" && place("laplace") < Math.min(place("hdp"), place("hgs"));
  return (reasons[best.name] ?? family) + (isLucky ? ` Laplace beats HGS and HDP here by luck: it pulls every leaf to ${percent(even)}, and this truth lies ${away(even)}.` : "");
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
