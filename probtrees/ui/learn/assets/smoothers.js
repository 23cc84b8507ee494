// The closed forms of the lesson, computed in the browser so that a drag changes them at once.
// A tree is { parent, cases, rows, outcomes }: flat lists in level order (parent[i] < i), cases of
// the outcome that is asked for, and how many outcomes there are. The package's smoothers are the
// authority; tests compare these twins with them and with the naive formulas.

// Adds up the leaves: counts is a list of cases and others by turns, one pair for each entry of
// ends (node numbers).
function treeOf(parent, ends, counts, outcomes = 2) {
  const cases = parent.map(() => 0), rows = parent.map(() => 0);
  ends.forEach((node, i) => { cases[node] = counts[2 * i]; rows[node] = counts[2 * i] + counts[2 * i + 1]; });
  for (let node = parent.length - 1; node > 0; node--) {
    cases[parent[node]] += cases[node];
    rows[parent[node]] += rows[node];
  }
  return { parent, cases, rows, outcomes };
}

function pathTo(tree, node) {
  const path = [];
  for (let at = node; at >= 0; at = tree.parent[at]) path.unshift(at);
  return path;
}

function isLeaf(tree, node) { return !tree.parent.includes(node); }

function observed(tree, node) { return tree.rows[node] > 0 ? tree.cases[node] / tree.rows[node] : null; }

// Itself if it has rows, else its nearest ancestor that has; the root in a tree without rows.
function withRows(tree, node) {
  while (node > 0 && !(tree.rows[node] > 0)) node = tree.parent[node];
  return node;
}

// p = (n_k + m b_k) / (n + m), b_k = 1/K. Laplace is m = K, the raw share m = 0.
function mEstimate(tree, node, strength) {
  const at = withRows(tree, node), size = tree.rows[at] + strength;
  return size > 0 ? (tree.cases[at] + strength / tree.outcomes) / size : 1 / tree.outcomes;
}

// Every node on the way down: p = (n_k + m q) / (n + m), m = M (1 + (1 - 1/h) sqrt N).
function mBranchSteps(tree, node, strength) {
  const path = pathTo(tree, node), root = Math.sqrt(tree.rows[0]);
  let p = 1 / tree.outcomes;
  return path.map((at, depth) => {
    const h = path.length - depth, m = strength * (1 + (1 - 1 / h) * root);
    const q = p, size = tree.rows[at] + m;
    if (size > 0) p = (tree.cases[at] + m * q) / size;
    return { node: at, h, m, q, p };
  });
}

function mBranch(tree, node, strength) { return mBranchSteps(tree, node, strength).at(-1).p; }

// p = (n_k + sum_a w_a n_ak / n_a + u/K) / (n + sum_a w_a + u) over all ancestors a.
function hgs(tree, node, weights, uniform = 0) {
  const at = withRows(tree, node);
  if (!(tree.rows[at] > 0)) return 1 / tree.outcomes;
  let above = tree.cases[at] + uniform / tree.outcomes, below = tree.rows[at] + uniform;
  for (const a of pathTo(tree, at).slice(0, -1)) {
    above += weights[a] * tree.cases[a] / tree.rows[a];
    below += weights[a];
  }
  return above / below;
}

// The mean of (1 - p)^2 over all rows, p being what the others say of a row that is taken out of its leaf
// and of all ancestors, one weight for all (Zhang, Petitjean and Buntine, 2020, eq. 5); two outcomes.
function leaveOneOutLoss(tree, weight) {
  let loss = 0;
  tree.parent.forEach((_, leaf) => {
    if (!isLeaf(tree, leaf)) return;
    const above = pathTo(tree, leaf).slice(0, -1), of = (node, k) => (k === 0 ? tree.cases[node] : tree.rows[node] - tree.cases[node]);
    for (const k of [0, 1]) {
      const n = of(leaf, k), size = tree.rows[leaf] - 1 + weight * above.length;
      if (!n || size <= 0) continue;
      const lent = above.reduce((sum, a) => sum + (of(a, k) > 1 ? weight * (of(a, k) - 1) / (tree.rows[a] - 1) : 0), 0);
      loss += n * (1 - (n - 1 + lent) / size) ** 2;
    }
  });
  return loss / Math.max(tree.rows[0], 1);
}

// The weights that are tried, 0.05 to 148 rows, and the one of the least loss.
const WEIGHTS_TRIED = Array.from({ length: 33 }, (_, i) => Math.exp(-3 + i / 4));
function bestWeight(tree) {
  const losses = WEIGHTS_TRIED.map((weight) => leaveOneOutLoss(tree, weight));
  return WEIGHTS_TRIED[losses.indexOf(Math.min(...losses))];
}

// From the root down, every node a Dirichlet around its parent: p = (n_k + c q) / (n + c). Above
// the root stands the uniform with rootMass imagined rows. concentration has one entry per node.
function dirichletSteps(tree, node, concentration, rootMass = 2) {
  let p = 1 / tree.outcomes;
  return pathTo(tree, node).map((at) => {
    const c = at === 0 ? rootMass : concentration[at], q = p;
    if (tree.rows[at] + c > 0) p = (tree.cases[at] + c * q) / (tree.rows[at] + c);
    return { node: at, c, q, p };
  });
}
