// What takes longer than a frame is done in pieces of a few milliseconds, so that the page always answers.

const PIECE = 6; // milliseconds of work in a frame

// Steps a generator until it is done; what it returns is the result. Another key begins anew.
class Job {
  constructor(key, work, tell) { Object.assign(this, { key, work, tell, result: null, part: null }); this.go(); }

  end() { this.isEnded = true; }

  go() {
    const until = performance.now() + PIECE;
    do {
      const { value, done } = this.work.next();
      if (done) { this.result = value; this.tell(); return; }
      this.part = value ?? this.part;
    } while (performance.now() < until);
    if (!this.isEnded) requestAnimationFrame(() => { if (!this.isEnded) this.go(); });
  }
}

// Sweeps of the sampler on the tree on show; each is kept, the reader drops the first ones.
function* gibbsWork(tree, leaf, { sweeps, seed, tying }) {
  const sampler = new GibbsSampler(tree, leaf, { tying, seed }), found = { c: [], p: [], draws: [], film: [] };
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const one = sampler.sweep();
    found.c.push(one.c); found.p.push(one.p); found.draws.push(one.draw); found.film.push(one);
    yield;
  }
  return found;
}

// HDP's answers on every sample of a world, and the answer on one's own counts that the step about it gives.
function* worldWork(world, counts, now, known) {
  const { seed } = now, { whole = null } = world;
  const hdp = [];
  for (const [number, one] of counts.entries()) {
    hdp.push((yield* estimateWork(treeOfSample(world, one, seed + number), { sweeps: WORLD_SWEEPS, seed: number, tying: "single" }))[world.leaf]);
  }
  const own = known ? gibbsFacts(yield* gibbsWork(whole ?? treeOf(world.parent, world.ends, known, world.outcomes), whole?.leaf ?? world.leaf, now), now.burn).hdp : null;
  return { counts, hdp, own };
}

// HDP's estimate of every node: the mean over the sweeps, the first tenth dropped.
function* estimateWork(tree, { sweeps, seed, tying }) {
  const sampler = new GibbsSampler(tree, tree.parent.length - 1, { tying, seed }), from = Math.floor(sweeps / 10), sums = tree.parent.map(() => 0);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    sampler.sweep();
    if (sweep >= from) sampler.expected.forEach((p, node) => { sums[node] += p[0] / (sweeps - from); });
    yield;
  }
  return sums;
}

// HDP's answer in every cell of the network's table.
function* tableWork({ seed, order }) {
  const shape = tableTree(order), tree = treeOf(shape.parent, shape.ends, shape.counts);
  const p = yield* estimateWork(tree, { sweeps: TABLE_SWEEPS, seed, tying: "level" });
  return shape.cells.map((cell) => p[cell]);
}
