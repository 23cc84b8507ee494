// Pictures of the restaurant and of the sampler's runs.

const SHOWN_STANDING = 12;

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
  const lumped = shape.editable ? "" : " Other branches of your tree share one restaurant here.", p = view.seated?.p ?? null;
  const end = element("p", { class: "fine", "aria-live": "polite", text: p === null
    ? `Orange: the outcome asked for; blue: others. Rings stand, each number sits at one table; every table sends one customer up.${lumped}`
    : `Everybody sits. The rings came up to ${shape.names[0]}. With these tables p is ${pathTo(tree, leaf).map((node) => `${percent(p[node])} (${shape.names[node]})`).join(", ")}; another seating gives another, and a sampler averages them.`.replace(/ %/g, "\u00a0%") });
  return [element("div", { class: shape.editable ? "street whole" : "street" }, ...boxes), end];
}

// Customers who have no table yet, as nobody has at the root; those whom a child's tables have just sent up come in from below.
function standingGuests(seating, node, dish, guests) {
  const left = guests - sumOf(seating.tables[node][dish]), isNew = node === seating.last && dish === seating.lastDish ? seating.raised : 0;
  return Array.from({ length: seating.isDone && node > 0 ? 0 : Math.min(left, SHOWN_STANDING) }, (_, at) => element("i", { class: `guest dish${dish} ${at < isNew ? "rises" : ""}` }));
}

// The film of the sampler: what every sweep so far noted and the mean of those after the burn-in, and where
// the draws of the leaf's chance lie.
function gibbsCharts(view, [sweeps, draws]) {
  const runs = view.results.gibbs;
  if (!runs) return [];
  const total = runs.p.length, upTo = view.sweepsSoFar(), { from, hdp, low, high } = gibbsFacts(runs, view.lesson.burn, upTo), isKnown = hdp !== undefined;
  const noted = (runs.noted ??= runs.p.map((p, sweep) => [sweep + 1, p])), drawn = histogramOf(runs.draws.slice(from, Math.max(upTo, from)));
  const top = Math.max(...histogramOf(runs.draws.slice(from)).map((bar) => bar[2]), 1), ends = [[low, "5 %"], [high, "95 %"]].map(([x, end]) => ({ x: x ?? 0, label: isKnown ? `${end}: ${percent(x)}` : "", kind: isKnown ? "faint" : "none", lane: 7 }));
  const wide = view.broad.matches ? 285 : WIDE;
  return [
    chart({ wide, upTo, lines: [{ values: noted, kind: "thin" }, { values: [[from + 1, hdp ?? 0], [Math.max(upTo, from + 1), hdp ?? 0]], kind: isKnown ? "main" : "none" }], marks: from ? [{ x: from, label: "burn-in ends", kind: "faint" }] : [], xRange: [0, total], yRange: SHARE, yText: asPercent, xTitle: "sweep", yTitle: isKnown ? `noted by each sweep, mean ${percent(hdp)}` : "noted by each sweep",
      alt: `What ${upTo} sweeps noted${isKnown ? `, on average ${percent(hdp)}` : ""}` }, sweeps),
    chart({ wide, bars: drawn, marks: ends, xRange: SHARE, yRange: [0, top], xText: asPercent, xTitle: "chance in the leaf", yTitle: `draws of it (${countText(Math.max(upTo - from, 0))})`,
      alt: `Histogram of the draws of the leaf's chance${isKnown ? `, 90 % of them between ${percent(low)} and ${percent(high)}` : ""}` }, draws),
  ];
}
