// What each step lets one try: its controls, made once, and its pictures, drawn again with every
// change. A panel is { controls: elements, draw: () => elements, notes: () => elements, inWords }: pictures
// stand below the tree where there is room, or in the words if they need more; notes always there.

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
    shown.textContent = text(value);
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

function wholeNumber(view, field, label, low, high) {
  const input = element("input", { type: "text", inputmode: "numeric", "aria-label": label }), refused = element("span", { class: "refused", role: "alert", hidden: true });
  input.addEventListener("input", () => { refused.hidden = true; });
  input.addEventListener("change", () => {
    const value = wholeNumberOf(input.value, low, high);
    refused.hidden = value !== null;
    if (value !== null) { view.set(field, value, true); return; }
    setText(refused, `“${input.value}” for ${label} must be a whole number from ${countText(low)} to ${countText(high)}. It stays ${view.lesson[field]}.`);
    input.value = view.lesson[field];
  });
  view.onSync(() => { if (input.getRootNode().activeElement !== input) input.value = view.lesson[field]; });
  return element("label", { class: "whole" }, element("span", { text: label }), input, refused);
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
        slider(view, { field: "truth", label: "The truth", low: 0.01, high: 0.99, step: 0.01, text: percent }),
        slider(view, { field: "sample", label: "Rows in a sample", low: 1, high: 100, step: 1 }),
        button("Draw 1,000 samples", () => { local.seed += 1; draw(); }, { class: "try" }),
      ],
      draw: () => {
        const { truth, sample } = view.now;
        const shares = rawShares(truth, sample, local.shown, local.seed + view.lesson.seed), bars = histogramOf(shares);
        const last = shares.at(-1);
        return [chart({ bars, xRange: SHARE, yRange: [0, Math.max(...bars.map((bar) => bar[2]), 10)], xText: asPercent, xTitle: `raw share of ${rowsText(sample)}`, yTitle: `samples (${countText(local.shown)})`,
          marks: [{ x: truth, label: `truth ${percent(truth)}`, kind: "truth", lane: 7 }, { x: last, label: "last sample", lane: 5 }],
          alt: `Histogram of ${local.shown} raw shares; the truth is ${percent(truth)}` })];
      },
    };
  },

  constant(view) {
    return {
      controls: [slider(view, { field: "strength", label: "m, imagined rows", low: 0, high: LIMITS.strength, step: 0.25 })],
      draw: () => [settingChart((m) => mEstimate(view.tree, view.leaf, m), LIMITS.strength, view.lesson.strength, "m")],
    };
  },

  branch(view) {
// The answer is shown at once; the walk to it, from the root down, is a film.
    const step = () => { if (view.step.name === "branch" && view.lesson.walked && view.lesson.walked < view.path.length) { view.walkOn(); setTimeout(step, WALKING); } };
    const walk = button("Walk from the root", () => { view.set("walked", calm() ? 0 : 1, true); setTimeout(step, WALKING); }, { class: "try" });
    return {
      controls: [
        slider(view, { field: "least", label: "Back off below, rows", low: 1, high: 100, step: 1 }),
        slider(view, { field: "mix", label: "λ, the parent's part", low: 0, high: 1, step: 0.05, text: percent }),
        slider(view, { field: "branch", label: "M of M-branch", low: 0, high: LIMITS.branch, step: 0.25 }),
        element("div", { class: "row" }, walk),
      ],
      draw: () => [branchTable(view)],
    };
  },

  dirichlet(view) {
    return { controls: concentrationSliders(view), draw: () => [densityChart(view.facts)] };
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
        chooser(view, "tying", "Tying", TYING_WORDS),
        ...concentrationSliders(view),
        element("div", { class: "row" }, button("Seat the next", next), button("Seat everybody", () => { if (local.seating.isDone) empty(); all(); }, { class: "try" }), button("Empty the restaurant", empty)),
      ],
      draw: () => restaurantPictures(view, local.seating),
    };
  },

  gibbs(view) {
    const input = element("input", { type: "range", min: 1, step: 1, "aria-label": "Sweeps so far" });
    const show = (sweep) => { view.scrub = sweep; view.refresh(); };
    input.addEventListener("input", () => { view.playing = false; show(Number(input.value)); });
    const play = () => {
      const total = view.results.gibbs?.p.length;
      if (!total) return;
      view.playing = true;
      show(calm() ? total : 1);
      const go = () => {
        if (!view.playing || view.scrub >= total) { view.playing = false; return; }
        show(Math.min(view.scrub + (view.scrub < 12 ? 0.1 : Math.ceil(total / 150)), total)); // the first sweeps slowly
        requestAnimationFrame(go);
      };
      requestAnimationFrame(go);
    };
    view.onSync(() => { const total = view.results.gibbs?.p.length ?? 1; input.max = total; input.value = view.sweepsSoFar() || total; });
    return {
      inWords: true,
      key: () => `${view.results.gibbs?.p.length} ${view.results.gibbs?.p.at(-1)} ${view.sweepsSoFar()} ${view.lesson.burn}`,
      controls: [element("label", { class: "slider" }, element("span", { text: "The film: sweeps so far" }), input, button("Play", play, { class: "try" }))],
      more: [
        chooser(view, "tying", "Tying", TYING_WORDS),
        element("div", { class: "row" }, wholeNumber(view, "sweeps", "Sweeps", 10, LIMITS.sweeps), wholeNumber(view, "seed", "Seed", 0, 2147483647)),
        slider(view, { field: "burn", label: "Burn-in, % of the sweeps", low: 0, high: 90, step: 1 }),
      ],
      draw: () => gibbsCharts(view),
    };
  },

  hgs(view) {
    const loss = element("div", { class: "drawn" });
    view.onSync(() => {
      const key = `${view.facts.bestWeight} ${view.lesson.weight}`;
      if (!loss.closest("details")?.open || !view.isTurn(0) || key === loss.key) return;
      loss.key = key;
      loss.replaceChildren(...lossChart(view));
    });
    return {
      controls: [slider(view, { field: "weight", label: "w, weight of every ancestor", low: 0, high: LIMITS.weight, step: 0.25 })],
      more: [loss],
      draw: () => [settingChart((w) => hgs(view.tree, view.leaf, view.tree.parent.map(() => w)), LIMITS.weight, view.lesson.weight, "w")],
    };
  },

  verdict(view) {
    const titles = { own: "this tree", ...Object.fromEntries(Object.entries(WORLDS).map(([name, world]) => [name, world.title])) };
    const whatIf = view.now.world === "own" ? [slider(view, { field: "truth", label: "If the truth of this leaf is", low: 0.01, high: 0.99, step: 0.01, text: percent }), whyThisTruth(view)] : [];
    const beforehand = [chooser(view, "world", "The truth", titles), ...whatIf, slider(view, { field: "leaf_rows", label: "Rows in the leaf", low: 1, high: LIMITS.leaf_rows, step: 1 })];
    return {
      inWords: true,
      beforehand,
      controls: [gameBox(view)],
      more: [...beforehand, element("div", { class: "row" }, button("Another sample in the picture", () => { view.sampleShown += 1; view.refresh(); }))],
      draw: () => (view.verdictRows ? [verdictChart(view.verdictRows, view.facts.worldTruth, view.guesses.verdict, view.root.clientWidth < 480)] : []),
    };
  },

  network(view) {
    const order = { weight: "weight, then height", height: "height, then weight" };
    const beforehand = [chooser(view, "cell", "Cell", CELLS), chooser(view, "order", "Order", order)];
    return { beforehand, controls: [...beforehand, ...concentrationSliders(view)], draw: () => [cellTable(view)] };
  },
};

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

// One line for every node that the walk has reached.
function branchTable(view) {
  const steps = mBranchSteps(view.tree, view.leaf, view.lesson.branch).slice(0, view.walkedNodes());
  const head = element("tr", {}, ...["node", "h", "m", "estimate"].map((text) => element("th", { text })));
  const rows = steps.map(({ node, h, m, q, p }) => element("tr", {},
    element("td", { text: view.shape.names[node] }), element("td", { text: h, "data-symbol": "h" }), element("td", { text: roughly(m), "data-symbol": "m" }),
    element("td", {}, formulaElement("{n_k + m·q}/{n + m} = p", {
      n_k: countText(view.tree.cases[node]), n: countText(view.tree.rows[node]), m: roughly(m), q: percent(q).replace(" ", "\u00a0"), p: percent(p).replace(" ", "\u00a0") }))));
  return element("table", {}, head, ...rows);
}

function densityChart({ c, q, cases, rows, dirichlet }) {
  const at = [0.001, ...Array.from({ length: 99 }, (_, i) => (i + 1) / 100), 0.999];
  const curve = (a, b) => at.map((x) => [x, betaDensity(x, Math.max(a, 1e-3), Math.max(b, 1e-3))]);
  const before = curve(c * q, c * (1 - q)), after = curve(c * q + cases, c * (1 - q) + rows - cases);
  const top = Math.min(Math.max(...before.slice(4, -4).map((p) => p[1]), ...after.slice(4, -4).map((p) => p[1])), 30);
  const isCut = [...before, ...after].some((p) => p[1] > top);
  return chart({ lines: [{ values: before, label: "before the leaf's rows", kind: "faint" }, { values: after, label: "after them" }],
    marks: [{ x: q, label: "parent", kind: "faint", lane: 1 }, { x: dirichlet, label: "estimate" }], xRange: SHARE, yRange: [0, top], xText: asPercent,
    xTitle: "chance in the leaf", yTitle: isCut ? "density; what rises higher is cut off" : "density", alt: `Belief about the leaf before and after its rows; the mean moves from ${percent(q)} to ${percent(dirichlet)}` });
}
