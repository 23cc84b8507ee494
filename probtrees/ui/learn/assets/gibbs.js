// HDP by Gibbs sampling, a small twin of the package's smooth/gibbs: the same model and the same
// averages, with other random numbers. Sources: Petitjean, Buntine, Webb and Zaidi (2018), sec. 4.3;
// Teh et al. (2006), appendix A, for the concentrations.

const PRIOR_SHAPE = 2, PRIOR_RATE = 1;

function normalDraw(random) { return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()); }

// The logarithm of a Gamma draw (Marsaglia and Tsang, 2000): draws of small shapes are below any number.
function logGammaDraw(shape, random) {
  if (shape < 1) return logGammaDraw(shape + 1, random) + Math.log(1 - random()) / shape;
  const d = shape - 1 / 3, c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = normalDraw(random), v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(1 - random()) < x * x / 2 + d - d * v + d * Math.log(v)) return Math.log(d * v);
  }
}

function dirichletDraw(shapes, random) {
  const logs = shapes.map((shape) => logGammaDraw(Math.max(shape, 1e-9), random)), top = Math.max(...logs);
  const parts = logs.map((log) => Math.exp(log - top)), sum = parts.reduce((a, b) => a + b, 0);
  return parts.map((part) => part / sum);
}

// How many tables n customers of a dish open whose mass is c q.
function tablesDraw(n, mass, random) {
  let tables = n > 0 ? 1 : 0;
  for (let i = 1; i < n; i++) if (random() * (mass + i) < mass) tables += 1;
  return tables;
}

// The counts of every leaf, all outcomes; of a tree that knows cases and rows alone, of two outcomes.
function leafCounts(tree) {
  return tree.parent.map((_, node) => (!isLeaf(tree, node) ? null : (tree.counts?.[node] ?? [tree.cases[node], tree.rows[node] - tree.cases[node]]).map(Math.round)));
}

class GibbsSampler {
  constructor(tree, leaf, { tying, seed }) {
    Object.assign(this, { tree, leaf, random: randomFrom(seed + 1), rows: leafCounts(tree), groups: groupsOf(tree, tying), path: pathTo(tree, leaf) });
    this.outcomes = this.rows.find(Boolean).length;
    this.c = new Array(Math.max(...this.groups, 0) + 1).fill(PRIOR_SHAPE / PRIOR_RATE);
    this.drawn = tree.parent.map(() => new Array(this.outcomes).fill(1 / this.outcomes));
  }

  concentration(node) { return node === 0 ? HDP_ROOT : this.c[this.groups[node]]; }

  // One sweep: everybody is seated again, from the leaves up; c is drawn; then the inner nodes, from the
  // root down. What is averaged are the expectations given tables and c, which vary less than draws.
  sweep() {
    const { tree: { parent }, random } = this, guests = this.rows.map((counts) => (counts ? [...counts] : new Array(this.outcomes).fill(0)));
    const tables = parent.map(() => null);
    for (let node = parent.length - 1; node > 0; node--) {
      const up = parent[node], c = this.concentration(node);
      tables[node] = guests[node].map((n, k) => tablesDraw(n, c * this.drawn[up][k], random));
      tables[node].forEach((t, k) => { guests[up][k] += t; });
    }
    this.drawConcentrations(guests, tables);
    const expected = [];
    for (let node = 0; node < parent.length; node++) {
      const c = this.concentration(node), shapeAbove = (above) => guests[node].map((n, k) => n + c * (node === 0 ? 1 / this.outcomes : above[parent[node]][k]));
      const mean = shapeAbove(expected), size = mean.reduce((a, b) => a + b, 0);
      expected.push(mean.map((part) => part / size));
      if (!this.rows[node] || node === this.leaf) this.drawn[node] = dirichletDraw(shapeAbove(this.drawn), random);
    }
    this.expected = expected;
    return { c: this.concentration(this.leaf), p: expected[this.leaf][0], draw: this.drawn[this.leaf][0], cs: [...this.c],
      seen: this.path.map((node) => ({ node, guests: guests[node], tables: tables[node], p: expected[node][0] })) };
  }

  // Given the tables, c of a group has a Gamma with two helpers for every restaurant that has guests.
  drawConcentrations(guests, tables) {
    const shapes = this.c.map(() => PRIOR_SHAPE), rates = this.c.map(() => PRIOR_RATE), sum = (list) => list.reduce((a, b) => a + b, 0);
    for (let node = 1; node < guests.length; node++) {
      const n = sum(guests[node]), group = this.groups[node], c = this.c[group];
      if (!n) continue;
      const [first, second] = [logGammaDraw(c + 1, this.random), logGammaDraw(n, this.random)], top = Math.max(first, second);
      rates[group] -= first - top - Math.log(Math.exp(first - top) + Math.exp(second - top));
      shapes[group] += sum(tables[node]) - (this.random() * (n + c) < n ? 1 : 0);
    }
    this.c = shapes.map((shape, group) => Math.max(Math.exp(logGammaDraw(shape, this.random)) / rates[group], 1e-9));
  }
}
