// Chance, the Chinese restaurant, and what a sampler's draws are worth.

// A small generator with a seed (mulberry32), so that a link shows everybody the same draws.
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) / 4294967296;
  };
}

// Shares of samples of n rows from a known truth.
function rawShares(truth, n, repeats, seed) {
  const random = randomFrom(seed);
  return Array.from({ length: repeats }, () => {
    let hits = 0;
    for (let row = 0; row < n; row++) hits += random() < truth;
    return hits / n;
  });
}

// How far raw shares jump, without drawing: their standard deviation, and how often they are 0 or 1.
function swingOf(truth, n) {
  return { deviation: Math.sqrt(truth * (1 - truth) / n), extreme: truth ** n + (1 - truth) ** n };
}

// How often a sample of so many rows has just so many cases, if the truth is p.
function chanceOfSample(cases, rows, p) {
  const ways = logGamma(rows + 1) - logGamma(cases + 1) - logGamma(rows - cases + 1);
  const power = (base, times) => (times === 0 ? 0 : times * Math.log(base));
  return Math.exp(ways + power(p, cases) + power(1 - p, rows - cases));
}

// Customer i (the first is 0) of a dish opens a table with chance mass / (mass + i), mass = c q.
function chanceOfTable(mass, already) { return already === 0 ? 1 : mass / (mass + already); }

function expectedTables(n, mass) {
  let tables = 0;
  for (let i = 0; i < n; i++) tables += chanceOfTable(mass, i);
  return tables;
}

// Seats one more customer of a dish: a table of its own, or one of the tables by how many sit there.
function seatOne(tables, mass, random) {
  const seated = tables.reduce((sum, size) => sum + size, 0);
  if (random() < chanceOfTable(mass, seated)) return [...tables, 1];
  let place = random() * seated;
  const at = tables.findIndex((size) => (place -= size) < 0);
  return tables.map((size, i) => (i === (at < 0 ? tables.length - 1 : at) ? size + 1 : size));
}

function seatAll(n, mass, random) {
  let tables = [];
  for (let i = 0; i < n; i++) tables = seatOne(tables, mass, random);
  return tables;
}

// Which nodes share a concentration: the number of its group for every node, -1 for the root.
function groupsOf(tree, tying) {
  const depth = tree.parent.map(() => 0), known = new Map();
  return tree.parent.map((up, at) => {
    if (at === 0) return -1;
    depth[at] = depth[up] + 1;
    const name = { single: 0, level: depth[at], parent: up, none: at }[tying];
    if (!known.has(name)) known.set(name, known.size);
    return known.get(name);
  });
}

const SHOWN_GUESTS = 40;

// Seats a whole tree one customer at a time, leaves first; very full restaurants at once.
class Seating {
  constructor(tree, concentration, estimates, seed) {
    Object.assign(this, { tree, concentration, estimates, random: randomFrom(seed) });
    this.guests = tree.parent.map((_, at) => (isLeaf(tree, at) ? [Math.round(tree.cases[at]), Math.round(tree.rows[at] - tree.cases[at])] : [0, 0]));
    this.tables = tree.parent.map(() => [[], []]);
    this.at = tree.parent.length - 1;
    this.dish = 0;
  }

  get isDone() { return this.at <= 0; }

  mass(node, dish) {
    const up = this.estimates[this.tree.parent[node]];
    return this.concentration[node] * (dish === 0 ? up : 1 - up);
  }

  // Seats somebody; false once nobody stands any more.
  next() {
    while (!this.isDone) {
      const tables = this.tables[this.at][this.dish], mass = this.mass(this.at, this.dish);
      const left = this.guests[this.at][this.dish] - tables.reduce((sum, size) => sum + size, 0);
      if (left > 0) {
        const now = left > SHOWN_GUESTS ? seatAll(left, mass, this.random) : seatOne(tables, mass, this.random);
        this.tables[this.at][this.dish] = now;
        Object.assign(this, { last: this.at, lastDish: this.dish, lastTable: Math.max(now.findIndex((size, i) => size !== tables[i]), 0), raised: 0 });
        return true;
      }
      const { at, dish } = this;
      this.guests[this.tree.parent[at]][dish] += tables.length;
      if (dish === 0) this.dish = 1;
      else { this.dish = 0; this.at -= 1; }
// That dishes move up to the parent is a step of its own, so that it is seen.
      Object.assign(this, { last: this.tree.parent[at], lastDish: dish, lastTable: -1, raised: tables.length });
      if (tables.length) return true;
    }
    return false;
  }

  finish() { while (this.next()); }
}

// p = (n_k + c q) / (n + c) from the root down, inner nodes counting what was passed up to them.
function afterSeating(tree, guests, concentration, rootMass = 2) {
  const p = [];
  tree.parent.forEach((up, at) => {
    const c = at === 0 ? rootMass : concentration[at], q = at === 0 ? 1 / tree.outcomes : p[up];
    const n = guests[at][0] + guests[at][1];
    p.push(n + c > 0 ? (guests[at][0] + c * q) / (n + c) : q);
  });
  return p;
}

function spreadOf(values) { const mean = meanOf(values); return Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2))); }

function meanOf(values) { return values.reduce((sum, value) => sum + value, 0) / values.length; }

// Linear between the order statistics, as numpy does it.
function quantile(values, share) {
  const sorted = Float64Array.from(values).sort(), at = share * (sorted.length - 1), low = Math.floor(at);
  return sorted[low] + (at - low) * ((sorted[low + 1] ?? sorted[low]) - sorted[low]);
}

// How many independent draws would give the mean as precisely: Geyer (1992), sec. 3.3.
function effectiveSize(draws) {
  const n = draws.length, mean = meanOf(draws), off = draws.map((draw) => draw - mean);
  const covariance = (lag) => { let sum = 0; for (let i = lag; i < n; i++) sum += off[i] * off[i - lag]; return sum; };
  const own = covariance(0);
  if (n < 4 || own <= 1e-24 * Math.max(1, mean * mean) * n) return 1;
  let sum = 0, last = Infinity, pairs = 0;
  for (let lag = 0; lag + 1 < n; lag += 2) {
    const pair = (covariance(lag) + covariance(lag + 1)) / own;
    if (pair <= 0) break;
    last = Math.min(last, pair);
    sum += last;
    pairs += 1;
  }
  const time = pairs ? 2 * sum - 1 : 1;
  return n / Math.max(time, 1 / Math.log10(Math.max(n, 10)));
}

function logGamma(x) {
  if (x < 12) return logGamma(x + 1) - Math.log(x);
  const per = 1 / x, square = per * per;
  return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI)
    + per * (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680)));
}
