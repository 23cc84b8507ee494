// Pictures of the restaurant, of the sampler's runs and of the losses.

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
        this.tables[this.at][this.dish] = left > SHOWN_GUESTS ? seatAll(left, mass, this.random) : seatOne(tables, mass, this.random);
        this.last = this.at;
        return true;
      }
      this.guests[this.tree.parent[this.at]][this.dish] += tables.length;
      if (this.dish === 0) this.dish = 1;
      else { this.dish = 0; this.at -= 1; }
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
  const isFamily = (node) => node === up || tree.parent[node] === up;
  const boxes = shown.map((node) => {
    const [cases, others] = seating.guests[node], passed = seating.tables[node].map((tables) => tables.length);
    const tables = seating.tables[node].flatMap((sizes, dish) => sizes.map((size) => element("i", { class: `round dish${dish}`, text: size, title: `${rowsText(size)} at one table` })));
    const words = node === 0 ? `${countText(cases)} + ${countText(others)} customers` : `t = ${passed[0]} + ${passed[1]} of n = ${countText(cases)} + ${countText(others)}`;
    return element("div", { class: `restaurant ${node === shown[0] ? "upper" : ""} ${node === seating.last ? "busy" : ""}` },
      element("b", { text: shape.names[node] }), ...(node === 0 ? [" "] : [element("span", { class: "floor" }, ...tables.slice(0, isFamily(node) ? 60 : 6), tables.length > 6 && !isFamily(node) ? "…" : "")]), element("small", { text: words }));
  });
  const lumped = shape.editable ? "" : " Other branches of your tree share one restaurant here.";
  const p = seating.isDone ? afterSeating(tree, seating.guests, seating.concentration) : null;
  const end = element("p", { class: "fine", "aria-live": "polite", text: p === null
    ? `Orange tables: the outcome asked for; blue: others. Each number is how many sit there.${lumped}`
    : `Everybody sits. With these tables p is ${pathTo(tree, leaf).map((node) => `${percent(p[node])} (${shape.names[node]})`).join(", ")}; another seating gives another, and a sampler averages them.`.replace(/ %/g, "\u00a0%") });
  return [element("div", { class: shape.editable ? "street whole" : "street" }, ...boxes), end];
}

function gibbsCharts(view, local) {
  const runs = view.results.gibbs;
  if (!runs) return [];
  const { from } = view.facts, total = runs.c.length, upTo = Math.min(local.upTo ?? total, total);
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

// Losses over one weight for all ancestors, on a logarithmic axis, of a sample.
function lossesOf(view) {
  const runs = view.results.losses;
  if (!runs) return null;
  const { weights, left_out, prior, held_out } = runs, sum = left_out.map((value, i) => value + prior[i]);
  const least = (values) => values && weights[values.indexOf(Math.min(...values))];
  return { ...runs, sum, best: { sum: least(sum), leftOut: least(left_out), heldOut: least(held_out) } };
}

const OWNER = "the heart sample";

function lossCharts(view) {
  const runs = lossesOf(view);
  if (!runs) return [];
  const { weights, left_out, prior, held_out, sum, best } = runs, pairs = (values) => values.map((value, i) => [weights[i], value]);
  const lines = [{ values: pairs(left_out), label: "leave one out, (1 − p)²", kind: "faint" }, { values: pairs(prior), label: `prior: w near ${roughly(runs.prior_weight)}`, kind: "dotted" }, { values: pairs(sum), label: "their sum", kind: "second" }];
  if (held_out) lines.push({ values: pairs(held_out), label: runs.outcomes === 2 ? "held-out rows, (1 − p)²" : "held-out rows, half the Brier score" });
  const at = (weight) => (weight === weights[0] ? "left end" : weight === weights.at(-1) ? "right end" : roughly(weight));
  const marks = [{ x: best.sum, label: `sum: ${at(best.sum)}`, kind: "second", lane: 1 }, ...(held_out ? [{ x: best.heldOut, label: `held out: ${at(best.heldOut)}` }] : [])];
  const whose = `Losses on ${OWNER}: ${rowsText(runs.rows)}, ${countText(runs.leaves)} leaves`;
  return [element("p", { class: "caption", text: whose }), chart({ lines, marks, logX: true, xRange: [weights[0], weights.at(-1)], yRange: [0, Math.max(...sum, ...(held_out ?? []))], xTitle: "weight of every ancestor, rows", yTitle: "mean loss per row",
    alt: `Losses against the weight: the sum with the prior is least at ${roughly(best.sum)}${held_out ? `, that of held-out rows at ${roughly(best.heldOut)}` : ""}` })];
}

function lossNotes(view) {
  const runs = lossesOf(view);
  if (!runs) return [];
  const words = runs.held_out ? lossWords(runs, OWNER, runs.best.leftOut, runs.best.heldOut) : [`On ${OWNER} no held-out rows are at hand.`];
  return words.map((text, number) => element("p", { class: number ? "fine more" : "fine", text }));
}

// What the two losses say, and whether they agree. A loss that is least at an end of the weights that
// are tried has no optimum there.
function lossWords(runs, whose, leftOut, heldOut) {
  const { weights } = runs, place = `On ${whose} (${rowsText(runs.rows)}, ${countText(runs.leaves)} leaves)`;
  const where = (weight) => (weight === weights[0] ? `falls all the way to the left end, ${roughly(weight)}, the smallest weight tried: it would listen to next to no ancestor`
    : weight === weights.at(-1) ? `falls all the way to the right end, ${roughly(weight)}, the largest weight tried: it would listen to the ancestors alone` : `is least at a weight of ${roughly(weight)}`);
  const agree = heldOut <= 1.25 * leftOut, same = heldOut === leftOut && (heldOut === weights[0] || heldOut === weights.at(-1));
  const losses = `${place} the leave-one-out loss ${where(leftOut)}. That of rows held out of inner trees, which never saw them, ${same ? "does the same" : where(heldOut)}.`;
  const verdict = agree ? "Here leaving one out does not flatter the leaves, which only the held-out rows can tell." : "The row left out has helped to choose the splits, so leaving it out flatters the leaves.";
  const how = `The prior keeps w near ${roughly(runs.prior_weight)} where the rows say little: it costs (ln w − ln ${roughly(runs.prior_weight)})²/2, shared by all rows.`;
  return [`${losses} ${verdict}`, `${how} Over 100 tables, converging the leave-one-out loss made forecasts worse: RMSE .2856 against .2741 as published, .2688 with held-out rows.`];
}
