// What the lesson can be explained on, and known truths to try methods on: all drawn from seeds.

const GENE_SHAPE = { parent: [-1, 0, 0, 1, 1], names: ["everybody", "gene", "no gene", "women", "men"], ends: [3, 4, 2], leaf: 4 };
const GENE_COUNTS = [10, 0, 0, 1, 90, 900]; // the example of the thesis, fig. 2
const GENE_TRUTH = 0.3;
const REPEATS = 200, WORLD_SWEEPS = 200, TABLE_SWEEPS = 5000, MOST_LEAF_ROWS = 50, USUAL_LEAF_ROWS = 3;

// A ward whose truth is known: everybody is drawn one by one, whether an emergency, over 70, a smoker,
// and then by that chance whether the complication comes. A small sample is what the reader sees, a
// large one of the same world what is true.
const WARD = {
  shape: { parent: [-1, 0, 0, 1, 1, 3, 3], names: ["all patients", "emergency", "planned", "over 70", "younger", "smokers", "others"], ends: [5, 6, 4, 2], leaf: 5 },
  shares: [0.25, 0.4, 0.25], chances: [0.35, 0.3, 0.2, 0.12], sample: 200, seed: 206, large: 400000,
};

// Counts of the leaves, cases and others by turns, among so many people of the ward.
function wardCounts(people, seed) {
  const random = randomFrom(seed), counts = new Array(8).fill(0);
  for (let one = 0; one < people; one++) {
    const depth = WARD.shares.findIndex((share) => random() >= share), leaf = depth < 0 ? 0 : 3 - depth;
    counts[2 * leaf + (random() < WARD.chances[leaf] ? 0 : 1)] += 1;
  }
  return counts;
}

let wardKnown = null;
function ward() {
  if (!wardKnown) {
    const large = wardCounts(WARD.large, 1000003), shares = WARD.shape.ends.map((_, i) => large[2 * i] / (large[2 * i] + large[2 * i + 1]));
    wardKnown = { counts: wardCounts(WARD.sample, WARD.seed), shares, truth: shares[0] };
  }
  return wardKnown;
}

// What the lesson is about: the ward, the gene example, or a leaf of one's own tree (which the app gives).
function subjectOf(source, leaf) {
  if (source === "leaf" && leaf) return leaf;
  const rows = (counts, shape) => { const at = 2 * shape.ends.indexOf(shape.leaf); return counts[at] + counts[at + 1]; };
  const usual = (counts, shape, more) => ({ leaf_rows: Math.min(Math.max(rows(counts, shape), 1), MOST_LEAF_ROWS), other_rows: USUAL_LEAF_ROWS, ...more });
  if (source === "ward") {
    const { counts, truth } = ward(), { shape } = WARD;
    return { ...shape, source, counts: null, first: counts, kinds: ["ill", "well"], outcome: "the complication", outcomes: 2, editable: true,
      asked: "Chance of the complication among emergencies over 70 who smoke", usual: usual(counts, shape, { truth, world: "own" }) };
  }
  return { ...GENE_SHAPE, source: "gene", counts: null, first: GENE_COUNTS, kinds: ["sick", "healthy"], outcome: "the disease", outcomes: 2, editable: true,
    asked: "Chance of the disease among men who have the gene", usual: usual(GENE_COUNTS, GENE_SHAPE, { truth: GENE_TRUTH, world: "own" }) };
}

// The counts on show: those that were typed, if they are of this example, else its own.
function countsOf(subject, lesson) {
  return subject.counts ?? (lesson.counts.length === subject.first.length ? lesson.counts : subject.first);
}

const geneWorld = (title, chances, rows) => ({ ...GENE_SHAPE, title, asked: "among men who have the gene", chances, rows });
// The same worlds in the words of the ward, for who reads about it.
const WARD_WORDS = { names: ["all patients", "emergency", "planned", "younger", "over 70"], asked: "among emergencies over 70" };
const WORLDS = {
  signal: geneWorld("real signal", [0.3, 0.25, 0.05], [20, 3, 200]),
  noise: geneWorld("nothing but noise", [0.1, 0.1, 0.1], [20, 3, 200]),
  rare: geneWorld("a rare outcome", [0.03, 0.01, 0.01], [60, 3, 600]),
  odd: geneWorld("a leaf unlike its family", [0.9, 0.1, 0.1], [20, 3, 200]),
  deep: { title: "a deep tree", asked: "among diabetics who smoke, over 70, emergencies", parent: [-1, 0, 0, 1, 1, 3, 3, 5, 5], ends: [7, 8, 6, 4, 2], leaf: 7,
    names: ["all patients", "emergency", "planned", "over 70", "younger", "smokers", "others", "diabetics", "no diabetes"], chances: [0.5, 0.4, 0.3, 0.2, 0.1], rows: [3, 8, 20, 50, 200] },
};

// A world of the tree on show. Its leaves have the chances that are known of the ward, or that they seem
// to have: Laplace's (cases + 1)/(rows + K), which is never certain. The truth of a leaf of one's own
// nobody knows: the reader says what if.
function ownWorld(subject, lesson, truth) {
  const counts = countsOf(subject, lesson), { ends, leaf, outcomes, others = [1] } = subject;
  const seem = ends.map((_, i) => (Math.round(counts[2 * i]) + 1) / (Math.round(counts[2 * i] + counts[2 * i + 1]) + outcomes));
  const chances = (subject.source === "ward" ? ward().shares : seem).map((p, i) => (ends[i] === leaf ? truth : p));
  return { ...subject, title: "this tree", chances, rows: ends.map((_, i) => Math.round(counts[2 * i] + counts[2 * i + 1])), others };
}

function worldOf(name, subject, lesson, truth) {
  const named = subject?.source !== "gene" && WORLDS[name]?.leaf === GENE_SHAPE.leaf ? WARD_WORDS : {};
  const world = name === "own" ? ownWorld(subject, lesson, truth) : { ...WORLDS[name], ...named, outcome: "the outcome", outcomes: 2, others: [1] };
  const asked = name === "own" ? subject.asked : `Chance of the outcome ${world.asked}`;
  return { ...world, asked, editable: false, counts: null, truth: world.chances[world.ends.indexOf(world.leaf)] };
}

// Samples of a world: cases and others of its leaves by turns. What decides the rows of the leaf is the
// same however many are asked for, so that another row joins those that are there.
function drawSamples(world, leafRows, seed, repeats = REPEATS) {
  const random = randomFrom(seed), luck = randomFrom(seed + 77);
  return Array.from({ length: repeats }, () => {
    const lots = Array.from({ length: MOST_LEAF_ROWS }, luck);
    return world.ends.flatMap((node, i) => {
      const n = node === world.leaf ? leafRows : world.rows[i];
      let cases = 0;
      for (let row = 0; row < n; row++) cases += (node === world.leaf ? lots[row] : random()) < world.chances[i];
      return [cases, n - cases];
    });
  });
}

// The tree of a sample, the rest of every leaf divided among the other outcomes.
function treeOfSample(world, counts, seed) {
  const tree = treeOf(world.parent, world.ends, counts, world.outcomes);
  if (world.outcomes === 2) return tree;
  const random = randomFrom(seed), all = world.parent.map(() => null);
  world.ends.forEach((node, i) => {
    const split = world.others.map(() => 0);
    for (let row = 0; row < counts[2 * i + 1]; row++) { let at = random(), k = 0; while (k < split.length - 1 && (at -= world.others[k]) >= 0) k += 1; split[k] += 1; }
    all[node] = [counts[2 * i], ...split];
  });
  return { ...tree, counts: all };
}

// The table p(stroke | weight, height) of the HDP paper's slides, 15 patients, either column first.
const HEIGHTS = ["short", "medium", "tall"], WEIGHTS = ["heavy", "light"], CELLS = WEIGHTS.flatMap((weight) => HEIGHTS.map((height) => `${weight}, ${height}`));
const STROKES = [[1, 0], [1, 3], [1, 3], [0, 3], [0, 3], [0, 0]]; // with and without a stroke, cell by cell
// HDP's posterior mean of every cell, tied by level, by trying all tables and concentrations.
const EXACT_ANSWERS = { weight: [0.6100, 0.3072, 0.3072, 0.0421, 0.0421, 0.1050], height: [0.5845, 0.2536, 0.2885, 0.1482, 0.1070, 0.3719] };

function tableTree(order) {
  const isWeight = order === "weight", [above, below] = isWeight ? [WEIGHTS, HEIGHTS] : [HEIGHTS, WEIGHTS], n = above.length, m = below.length;
  const parent = [-1, ...above.map(() => 0), ...above.flatMap((_, at) => below.map(() => 1 + at))];
  const cells = CELLS.map((_, cell) => { const [weight, height] = [Math.floor(cell / 3), cell % 3]; return 1 + n + (isWeight ? weight * m + height : height * m + weight); });
  const ends = parent.map((_, node) => node).slice(1 + n), counts = ends.flatMap((node) => STROKES[cells.indexOf(node)]);
  const who = (cell) => { const [weight, height] = CELLS[cell].split(", "), said = [`weight is ${weight}`, `height is ${height}`]; return (isWeight ? said : said.reverse()).join(" and "); };
  return { parent, names: ["all patients", ...above, ...above.flatMap(() => below)], ends, counts, cells, outcome: "stroke: yes", outcomes: 2, editable: false,
    asked: CELLS.map((_, cell) => `Chance of stroke: yes where ${who(cell)}`), columns: isWeight ? ["weight", "height"] : ["height", "weight"], exact: EXACT_ANSWERS[order] };
}
