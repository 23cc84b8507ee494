// Pictures of the restaurant and of the sampler's runs.

const SHOWN_GUESTS = 40, SHOWN_STANDING = 12;

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

// The restaurants of the leaf and its siblings, and their parent's, whose customers are tables; of the
// small example all, so that the estimates can be recomputed from the root down.
function restaurantPictures(view, seating) {
  const { tree, leaf, shape } = view, up = Math.max(tree.parent[leaf], 0);
  const shown = shape.editable ? tree.parent.map((_, node) => node) : [up, ...tree.parent.flatMap((at, node) => (at === up && node > 0 ? [node] : []))];
  const arrives = (node, dish) => !seating.isDone && node === seating.last && dish === seating.lastDish;
  const isFamily = (node) => node === up || tree.parent[node] === up;
  const boxes = shown.map((node) => {
    const [cases, others] = seating.guests[node], passed = seating.tables[node].map((tables) => tables.length);
    const standing = seating.guests[node].flatMap((guests, dish) => standingGuests(seating, node, dish, guests));
    const tables = seating.tables[node].flatMap((sizes, dish) => sizes.map((size, at) => element("i", { class: `round dish${dish} ${arrives(node, dish) && at === seating.lastTable ? "arrives" : ""}`, text: size, title: `${rowsText(size)} at one table` })));
    const words = node === 0 ? `${countText(cases)} + ${countText(others)} customers` : `t = ${passed[0]} + ${passed[1]} of n = ${countText(cases)} + ${countText(others)}`;
    return element("div", { class: `restaurant ${node === shown[0] ? "upper" : ""} ${node === seating.last ? "busy" : ""}` },
      element("b", { text: shape.names[node] }), ...(node === 0 ? [element("span", { class: "floor" }, ...standing)] : [element("span", { class: "floor" }, ...standing, ...tables.slice(0, isFamily(node) ? 60 : 6), tables.length > 6 && !isFamily(node) ? "…" : "")]), element("small", { text: words }));
  });
  const lumped = shape.editable ? "" : " Other branches of your tree share one restaurant here.";
  const p = view.seated?.p ?? null;
  const end = element("p", { class: "fine", "aria-live": "polite", text: p === null
    ? `Orange: the outcome asked for; blue: others. Rings stand, each number sits at one table; every table sends one customer up.${lumped}`
    : `Everybody sits. With these tables p is ${pathTo(tree, leaf).map((node) => `${percent(p[node])} (${shape.names[node]})`).join(", ")}; another seating gives another, and a sampler averages them.`.replace(/ %/g, "\u00a0%") });
  return [element("div", { class: shape.editable ? "street whole" : "street" }, ...boxes), end];
}

// Customers who have no table yet; those whom a child's tables have just sent up come in from below.
function standingGuests(seating, node, dish, guests) {
  const left = guests - sumOf(seating.tables[node][dish]), isNew = node === seating.last && dish === seating.lastDish ? seating.raised : 0;
  return Array.from({ length: seating.isDone ? 0 : Math.min(left, SHOWN_STANDING) }, (_, at) => element("i", { class: `guest dish${dish} ${at < isNew ? "rises" : ""}` }));
}

// The film of the sampler: c over the sweeps so far, and the draws of the leaf's chance.
function gibbsCharts(view) {
  const runs = view.results.gibbs;
  if (!runs) return [];
  const total = runs.c.length, upTo = view.sweepsSoFar(), from = Math.min(Math.floor(view.lesson.burn / 100 * total), total - 1);
  const trace = runs.c.slice(0, upTo).map((c, sweep) => [sweep, c]), top = Math.max(...runs.c);
  const drawn = runs.draws.slice(from, Math.max(upTo, from)), bars = histogramOf(drawn), high = Math.max(...histogramOf(runs.draws.slice(from)).map((bar) => bar[2]), 1);
  const mean = drawn.length ? meanOf(runs.p.slice(from, upTo)) : null;
  return [
    chart({ lines: [{ values: trace, kind: "thin" }], marks: [{ x: from, label: "burn-in ends", kind: "faint", lane: 8 }], xRange: [0, total], yRange: [0, top], xTitle: "sweep", yTitle: "c, the leaf's concentration",
      alt: `The concentration over ${upTo} sweeps, on average ${roughly(meanOf(runs.c.slice(from)))}` }),
    chart({ bars, marks: mean === null ? [] : [{ x: mean, label: `mean ${percent(mean)}`, lane: 7 }], xRange: SHARE, yRange: [0, high], xText: asPercent, xTitle: "chance in the leaf", yTitle: `draws after burn-in (${countText(drawn.length)})`,
      alt: `Histogram of the draws of the leaf's chance${mean === null ? "" : `, mean ${percent(mean)}`}` }),
  ];
}

// The leave-one-out loss over one weight for all ancestors, on a logarithmic axis, of the tree on show.
function lossChart(view) {
  const { tree, facts, lesson } = view;
  if (tree.outcomes !== 2 || facts.bestWeight === undefined) return [];
  const values = WEIGHTS_TRIED.map((weight) => [weight, leaveOneOutLoss(tree, weight)]), best = facts.bestWeight;
  const marks = [{ x: best, label: `least: ${roughly(best)}`, lane: 1 }, { x: Math.min(Math.max(lesson.weight, 0.05), 148), label: "your w", kind: "faint" }];
  return [chart({ lines: [{ values, label: "L, leave one out" }], marks, logX: true, xRange: [WEIGHTS_TRIED[0], WEIGHTS_TRIED.at(-1)], yRange: [0, Math.max(...values.map(([, loss]) => loss))],
    xTitle: "weight of every ancestor, rows", yTitle: "mean loss per row", alt: `The leave-one-out loss against the weight is least at ${roughly(best)}` })];
}
