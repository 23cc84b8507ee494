// What each step lets one try: its controls, made once, and its pictures, drawn again with every
// change. A panel is { controls: elements, draw: () => elements, beside: what stands in the words, more: elements for
// who wants the details }. Controls and pictures stand below the number line where there is room.

const WALKING = 900; // milliseconds from node to node
const calm = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

// A finger that swipes over a slider means to scroll: what its touch has set is taken back.
function unlessSwiped(input, read, restore) {
  let before;
  input.addEventListener("pointerdown", () => { before = read(); });
  input.addEventListener("pointercancel", () => restore(before));
}

// A slider that sets a field of the lesson; with log, equal ways are equal factors.
function slider(view, { field, label, low, high, step, log = false, text = roughly, at = null }) {
  const read = () => (at === null ? view.now[field] : view.lesson[field][at] ?? view.lesson[field][0]);
  const shown = element("output", {});
  const input = element("input", { type: "range", min: log ? Math.log(low) : low, max: log ? Math.log(high) : high, step: log ? "any" : step, "aria-label": label });
  let known = null;
  const set = (finished) => {
    let value = log ? Number(Math.exp(Number(input.value)).toPrecision(2)) : Number(input.value);
    value = Math.min(Math.max(value, low), high);
    if (at === null) view.set(field, value, finished);
    else view.set(field, withEntry(view.lesson[field], at, value), finished);
  };
  input.addEventListener("input", () => set(false));
  input.addEventListener("change", () => set(true));
  unlessSwiped(input, () => view.lesson[field], (before) => view.set(field, before, true));
  view.onSync(() => {
    const value = read();
    if (!input.matches(":active")) input.value = log ? Math.log(value) : value;
    if (value === known) return;
    known = value;
    setText(shown, text(value));
    input.setAttribute("aria-valuetext", text(value));
  });
  return element("label", { class: "slider" }, element("span", { text: label }), input, shown);
}

function withEntry(list, at, value) {
  const filled = [...list];
  while (filled.length <= at) filled.push(list[0]);
  filled[at] = value;
  return filled;
}

function button(text, onclick, more = {}) { return element("button", { type: "button", text, onclick, ...more }); }

function chooser(view, field, label, options) {
  const buttons = Object.entries(options).map(([value, words]) => button(words, () => view.set(field, typeof view.lesson[field] === "number" ? Number(value) : value, true, true), { "data-value": value }));
  view.onSync(() => { for (const one of buttons) one.setAttribute("aria-pressed", one.dataset.value === String(view.now[field])); });
  return element("div", { class: "chooser", role: "group", "aria-label": label }, element("span", { text: label }), ...buttons);
}

function concentrationSliders(view) {
  const groups = groupsOf(view.tree, view.now.tying), [low, high] = LIMITS.c;
  const names = new Map();
  groups.forEach((group, node) => { if (group >= 0) names.set(group, (names.get(group) ?? new Set()).add(view.shape.names[node])); });
  return [...names].slice(0, 8).map(([group, nodes]) => {
    const label = names.size === 1 ? "c of every node" : `c of ${[...nodes].join(", ")}`;
    const made = slider(view, { field: "c", at: group, label, low, high, log: true });
    made.dataset.group = group % 6;
    return made;
  });
}

const TYING_WORDS = { single: "single", level: "level", parent: "parent", none: "none" };

const PANELS = {
  raw(view) {
    const local = { seed: 1, shown: 1 };
    const draw = () => {
      local.shown = calm() ? 1000 : 1;
      const grow = () => { local.shown = Math.min(local.shown + 25, 1000); view.refresh(); if (local.shown < 1000) requestAnimationFrame(grow); };
      requestAnimationFrame(grow);
    };
    draw();
    return {
      controls: [
        slider(view, { field: "truth", label: "If the truth is", low: 0.01, high: 0.99, step: 0.01, text: percent }),
        slider(view, { field: "sample", label: "Rows in a sample", low: 1, high: 100, step: 1 }),
        button("Draw 1,000 samples", () => { local.seed += 1; draw(); }, { class: "try" }),
      ],
      draw: () => {
        const { truth, sample } = view.now;
        const shares = rawShares(truth, sample, local.shown, local.seed + view.lesson.seed), bars = histogramOf(shares);
        return [chart({ bars, xRange: SHARE, yRange: [0, Math.max(...bars.map((bar) => bar[2]), 10)], xText: asPercent, xTitle: `raw share of ${rowsText(sample)}`, yTitle: `samples (${countText(local.shown)})`,
          marks: [{ x: truth, label: `truth ${percent(truth)}`, kind: "truth", lane: 7 }, { x: shares.at(-1), label: "last sample", lane: 5 }],
          alt: `Histogram of ${local.shown} raw shares; the truth is ${percent(truth)}` })];
      },
    };
  },

  constant(view) {
    return { controls: [slider(view, { field: "strength", label: "m, imagined rows", low: 0, high: LIMITS.strength, step: 0.25 })], draw: voicesPanel(view) };
  },

  branch(view) {
// The answer is shown at once; the walk to it, from the root down, is a film.
    const step = () => { if (view.step.name === "branch" && view.lesson.walked && view.lesson.walked < view.path.length) { view.walkOn(); setTimeout(step, WALKING); } };
    const walk = button("Walk from the root", () => { view.set("walked", calm() ? 0 : 1, true); setTimeout(step, WALKING); }, { class: "try" });
    return {
      controls: [slider(view, { field: "branch", label: "M of M-branch", low: 0, high: LIMITS.branch, step: 0.25 }), walk],
      draw: voicesPanel(view),
    };
  },

  dirichlet(view) {
    return { controls: concentrationSliders(view), draw: voicesPanel(view) };
  },

  restaurant(view) {
    const local = { seed: 1, seating: null, key: "", isByHand: false };
// The number line and the tree follow who sits where, so that is settled before anything is drawn.
    view.prepare = () => {
// Other counts, another c: everybody is seated again, at once unless somebody does it by hand.
      const key = JSON.stringify([view.tree.cases, view.tree.rows, view.lesson.c, view.lesson.tying]);
      if (key !== local.key) { local.key = key; renew(); if (!local.isByHand) local.seating.finish(); }
      const { isDone, guests, concentration } = local.seating;
      view.seated = isDone ? { p: afterSeating(view.tree, guests, concentration) } : null;
    };
    const renew = () => { local.seating = new Seating(view.tree, concentrationOf(view.tree, view.lesson), view.chainEstimates(), local.seed); };
    const empty = () => { local.seed += 1; local.isByHand = true; renew(); view.refresh(); };
    const next = () => { if (local.seating.isDone) empty(); local.seating.next(); view.refresh(); };
    const all = () => {
      const { seating } = local;
      const one = () => {
        if (calm()) seating.finish();
        if (seating === local.seating && seating.next()) setTimeout(one, 90);
        else local.isByHand = false;
        view.refresh();
      };
      one();
    };
    return {
      controls: [
        ...concentrationSliders(view),
        element("div", { class: "row" }, button("Seat the next", next), button("Seat everybody", () => { if (local.seating.isDone) empty(); all(); }, { class: "try" }), button("Empty the restaurant", empty)),
      ],
      more: [chooser(view, "tying", "Tying", TYING_WORDS)],
      turn: 3,
      draw: () => restaurantPictures(view, local.seating),
    };
  },

  gibbs(view) {
    const input = element("input", { type: "range", min: 1, step: 1, "aria-label": "Sweeps so far" }), label = element("output", { class: "long" });
    const charts = [svg("svg", { role: "img" }), svg("svg", { role: "img" })];
// While the film runs, or a hand moves it, words wait as in any drag.
    const show = (sweep, moves) => { view.scrub = sweep; view.dragging(moves); view.refresh(); };
    input.addEventListener("input", () => { view.playing = false; show(Number(input.value), true); });
    input.addEventListener("change", () => show(Number(input.value), false));
    const play = () => {
      const total = view.results.gibbs?.p.length;
      if (!total) return;
      view.playing = true;
      show(calm() ? total : 1, !calm());
      const go = () => {
        if (!view.playing || view.scrub >= total) { view.playing = false; show(view.scrub, false); return; }
        show(Math.min(view.scrub + (view.scrub < 12 ? 0.1 : Math.ceil(total / 150)), total), true); // the first sweeps slowly
        requestAnimationFrame(go);
      };
      requestAnimationFrame(go);
    };
    view.onSync(() => {
      const total = view.results.gibbs?.p.length ?? 1, upTo = view.sweepsSoFar() || total;
      Object.assign(input, { max: total, value: upTo });
      setText(label, `sweep ${countText(upTo)} of ${countText(total)}`);
    });
    return {
      key: () => `${view.results.gibbs?.p.length} ${view.results.gibbs?.p.at(-1)} ${view.sweepsSoFar()} ${view.lesson.burn}`,
      controls: [element("label", { class: "slider" }, element("span", { text: "The film" }), input, label), button("Play", play, { class: "try" }), button("Another run", () => view.set("seed", view.lesson.seed + 1, true))],
      more: [
        chooser(view, "tying", "Tying", TYING_WORDS),
        slider(view, { field: "sweeps", label: "Sweeps", low: 10, high: LIMITS.sweeps, step: 10 }),
        slider(view, { field: "burn", label: "Burn-in, % of the sweeps", low: 0, high: 90, step: 1 }),
      ],
      draw: () => gibbsCharts(view, charts),
    };
  },

  hgs(view) {
    return { controls: [slider(view, { field: "weight", label: "w, rows for which every ancestor speaks", low: WEIGHTS_TRIED[0], high: LIMITS.weight, log: true })], draw: voicesPanel(view) };
  },

  verdict(view) {
    const titles = { own: "this tree", ...Object.fromEntries(Object.entries(WORLDS).map(([name, world]) => [name, world.title])) };
    const whatIf = view.now.world === "own" ? [slider(view, { field: "truth", label: "If the truth of this leaf is", low: 0.01, high: 0.99, step: 0.01, text: percent }), whyThisTruth(view)] : [];
    const beforehand = [chooser(view, "world", "The truth", titles), ...whatIf, slider(view, { field: "leaf_rows", label: "Rows in the leaf", low: 1, high: LIMITS.leaf_rows, step: 1 })];
    return {
      beforehand,
      controls: [button("Another sample in the picture", () => { view.sampleShown += 1; view.refresh(); })],
      beside: gameBox(view),
      more: beforehand,
      draw: () => (view.verdictRows ? [verdictChart(view.verdictRows, view.facts.worldTruth, view.guesses.verdict, view.root.clientWidth < 480)] : []),
    };
  },

  network(view) {
    const order = chooser(view, "order", "Order", { weight: "weight, then height", height: "height, then weight" }), table = element("div", {});
    view.onSync(() => { if (view.isTurn(1)) table.replaceChildren(cellTable(view)); });
    return { beforehand: [order], controls: [order, ...concentrationSliders(view)], beside: table, draw: voicesPanel(view) };
  },
};

// Draws who speaks for the leaf into one picture, which is made once.
function voicesPanel(view) {
  const picture = new Voices();
  return () => {
    const { step: { name }, tree, leaf, now, shape } = view, found = voicesOf(name, tree, leaf, now, shape.names, view.walkedNodes());
    return found ? [picture.show(found.voices, found.estimate, knownTruth(view))] : [];
  };
}

// Every cell of the network's table: its rows, what they say raw, with the reader's c, and by HDP.
function cellTable(view) {
  const { shape, tree, lesson, results } = view, c = concentrationOf(tree, view.now);
  const head = element("tr", {}, ...["cell", "rows", "raw share", "with your c", "HDP", "HDP, exact"].map((text) => element("th", { text })));
  const lines = shape.cells.map((node, cell) => {
    const said = [observed(tree, node), dirichletSteps(tree, node, c).at(-1).p, results.table?.[cell], shape.exact[cell]];
    const cells = [CELLS[cell], `${countText(tree.cases[node])} of ${countText(tree.rows[node])}`, ...said.map((p) => (p === undefined ? "…" : percent(p)))];
    return element("tr", { class: cell === lesson.cell ? "asked" : "" }, ...cells.map((text) => element("td", { text })));
  });
  return element("table", {}, head, ...lines);
}
