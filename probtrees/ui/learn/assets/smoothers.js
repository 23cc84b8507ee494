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

// Leaves out nodes that have fewer rows than asked for; the root is always believed.
function backOff(tree, node, least) {
  while (node > 0 && tree.rows[node] < Math.max(least, 1)) node = tree.parent[node];
  return { node, p: observed(tree, node) ?? 1 / tree.outcomes };
}

// (1 - lambda) of the leaf's own share, lambda of its parent's.
function interpolate(tree, node, lambda) {
  const own = mEstimate(tree, node, 0);
  return node === 0 ? own : (1 - lambda) * own + lambda * mEstimate(tree, tree.parent[node], 0);
}

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

// Mean of (1 - p)^2 over rows that are taken out of their leaf and of every ancestor, p being what
// the others say about the row's own outcome; and its slope by the weight of every inner node.
// For two outcomes.
function leaveOneOut(tree, weights, uniform = 0) {
  const { parent, cases, rows } = tree, n = parent.length;
  const gradient = new Array(n).fill(0);
  let loss = 0;
  for (let leaf = 0; leaf < n; leaf++) {
    if (!isLeaf(tree, leaf) || !(rows[leaf] > 0)) continue;
    const above = pathTo(tree, leaf).slice(0, -1);
    for (const counts of [(at) => cases[at], (at) => rows[at] - cases[at]]) {
      if (!(counts(leaf) > 0)) continue;
      const rate = (a) => (rows[a] > 1 ? Math.max(counts(a) - 1, 0) / (rows[a] - 1) : 0);
      const size = rows[leaf] - 1 + uniform + above.reduce((sum, a) => sum + weights[a], 0);
      if (!(size > 0)) continue;
      const lent = above.reduce((sum, a) => sum + weights[a] * rate(a), 0);
      const p = Math.min(Math.max((counts(leaf) - 1 + lent + uniform / 2) / size, 1e-300), 1);
      loss += counts(leaf) * (1 - p) ** 2;
      for (const a of above) gradient[a] -= counts(leaf) * 2 * (1 - p) * (rate(a) - p) / size;
    }
  }
  const all = Math.max(rows[0], 1);
  return { loss: loss / all, gradient: gradient.map((slope) => slope / all) };
}

// Algorithm 1 of Zhang et al. (2020): from weights of 1, stop when a step gains less than precision.
// With precision 0 it goes on for as many steps as are asked for.
function descend(tree, { rate = 0.01, precision = 1e-4, steps = 10000 } = {}) {
  let weights = tree.parent.map(() => 1), now = leaveOneOut(tree, weights);
  const losses = [now.loss];
  for (let step = 0; step < steps; step++) {
    weights = weights.map((w, at) => w - rate * now.gradient[at]);
    now = leaveOneOut(tree, weights);
    losses.push(now.loss);
    if (losses.at(-2) - losses.at(-1) < precision) break;
  }
  return { weights, losses };
}
