// Every number that the lesson's words and pictures use, by name, for one tree and one setting.

// "0.042 %" rather than "0.0 %": the same digits as words.py.
function percent(p) {
  if (p === null || p === undefined || Number.isNaN(p)) return "nothing";
  if (p <= 0 || p >= 1) return `${Math.round(p * 100)} %`;
  const distance = Math.min(p, 1 - p);
  if (distance < 1e-5) return p < 0.5 ? "< 0.001 %" : "> 99.999 %";
  return `${(p * 100).toFixed(Math.max(1, Math.min(3, -Math.floor(Math.log10(distance)) - 1)))} %`;
}

function countText(value) { return value.toLocaleString("en", { maximumFractionDigits: 2 }); }

function roughly(value) {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  return Math.abs(value) >= 100 ? countText(Math.round(value)) : String(Number(value.toPrecision(3)));
}

function fourDigits(value) { return Number.isInteger(value) ? countText(value) : String(Number(value.toPrecision(4))); }

const RARE_ROWS = 5;
const HDP_ROOT = 2;

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
  const c = chain.at(-1).c, q = chain.at(-1).q, sizeOfSay = tree.rows[withRows(tree, leaf)] + ancestors * lesson.weight;
  return {
    rows, cases, others: rows - cases, outcomes: K, uniform: 1 / K,
    parentRows: tree.rows[up], parentCases: tree.cases[up], allRows: tree.rows[0], allCases: tree.cases[0],
    seen: observed(tree, leaf), seenParent: observed(tree, up), seenAll: observed(tree, 0),
    nextLow: cases / (rows + 1), nextHigh: (cases + 1) / (rows + 1),
    truth: lesson.truth, sample: lesson.sample, deviation: swing.deviation, extreme: swing.extreme,
    rowsForFive: Math.max(1, Math.ceil(lesson.truth * (1 - lesson.truth) / 0.0025 - 1e-9)),
    mle: mEstimate(tree, leaf, 0), laplace: mEstimate(tree, leaf, K), strength: lesson.strength,
    mEstimate: mEstimate(tree, leaf, lesson.strength),
    rareRows: RARE_ROWS, rareLaplace: 1 / (RARE_ROWS + K), laplaceRows: Math.max(0, 20 - K) + 1,
    least: lesson.least, backOff: backed.p, backOffRows: tree.rows[backed.node],
    mix: lesson.mix, interpolated: interpolate(tree, leaf, lesson.mix),
    branch: lesson.branch, mBranch: branch.at(-1).p, mLeaf: branch.at(-1).m,
    mParent: branch.at(-2)?.m ?? branch.at(-1).m, mBranchParent: branch.at(-2)?.p ?? 1 / K,
    c, q, dirichlet: chain.at(-1).p, ownShare: rows + c > 0 ? rows / (rows + c) : 0,
    priorLow: c * q, priorHigh: c * (1 - q),
    leafTables: expectedTables(Math.round(cases), c * q) + expectedTables(Math.round(rows - cases), c * (1 - q)),
    threeTables: expectedTables(3, 1),
    weight: lesson.weight, ancestors, hgs: hgs(tree, leaf, weights), hgsOne: hgs(tree, leaf, tree.parent.map(() => 1)),
    ancestorsShare: sizeOfSay > 0 ? ancestors * lesson.weight / sizeOfSay : 0,
    parentLeft: Math.max(tree.rows[up] - 1, 0), allLeft: Math.max(tree.rows[0] - 1, 0),
  };
}

// The published descent on a small tree of two outcomes: what one step gains, and where it ends.
function descentFacts(tree, leaf) {
  const published = descend(tree), further = descend(tree, { precision: -Infinity, steps: 400 });
  return {
    steps: published.losses.length - 1,
    gained: published.losses.at(-2) - published.losses.at(-1),
    moved: Math.max(...published.weights.map((w) => Math.abs(w - 1))),
    published: hgs(tree, leaf, published.weights),
    furtherGained: further.losses[0] - further.losses.at(-1),
  };
}

const METHODS = {
  mle: ["Raw share", (tree, leaf) => mEstimate(tree, leaf, 0)],
  laplace: ["Laplace", (tree, leaf) => mEstimate(tree, leaf, tree.outcomes)],
  mEstimate: ["m-estimate", (tree, leaf, lesson) => mEstimate(tree, leaf, lesson.strength)],
  mBranch: ["M-branch", (tree, leaf, lesson) => mBranch(tree, leaf, lesson.branch)],
  dirichlet: ["Dirichlet, c fixed", (tree, leaf, lesson) => dirichletSteps(tree, leaf, concentrationOf(tree, lesson)).at(-1).p],
  hgs: ["HGS", (tree, leaf, lesson) => hgs(tree, leaf, tree.parent.map(() => lesson.weight))],
  parent: ["Parent's share", (tree, leaf) => mEstimate(tree, leaf === 0 ? 0 : tree.parent[leaf], 0)],
};

// What each method says on samples of a known truth: mean, 90 % band, and how far off it is.
// runs = { parent, ends, leaf, counts: one list per sample, hdp: one number per sample }.
function verdict(runs, truth, lesson) {
  const said = Object.fromEntries(Object.keys(METHODS).map((name) => [name, []]));
  for (const counts of runs.counts) {
    const tree = treeOf(runs.parent, runs.ends, counts);
    for (const [name, [, estimate]] of Object.entries(METHODS)) said[name].push(estimate(tree, runs.leaf, lesson));
  }
  if (runs.hdp) said.hdp = runs.hdp;
  return Object.entries(said).map(([name, values]) => ({
    name, label: METHODS[name]?.[0] ?? "HDP",
    mean: meanOf(values), low: quantile(values, 0.05), high: quantile(values, 0.95),
    error: Math.sqrt(meanOf(values.map((value) => (value - truth) ** 2))),
  })).sort((a, b) => a.error - b.error);
}

function pointsText(value) { return `${(value * 100).toFixed(1)} points`; }

function rowsText(value) { return `${countText(value)} ${value === 1 ? "row" : "rows"}`; }

// Fills {name%} (a percentage), {name#} (a count), {name&} (rows), {name@} (points), {name~} (a number), {name} (a text).
function fillWords(words, facts) {
  const how = { "%": percent, "#": countText, "&": rowsText, "@": pointsText, "~": roughly, "": String };
  return words.replace(/\{(\w+)([%#&@~]?)\}/g, (_, name, kind) => (facts[name] === undefined ? "…" : how[kind](facts[name]))).replace(/ %/g, "\u00a0%");
}
