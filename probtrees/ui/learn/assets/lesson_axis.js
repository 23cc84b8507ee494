// The axis from 0 to 100 % on which estimates slide: shares that were observed below it, estimates,
// guess and truth above it. Each label stands on a pole over its mark, and none hides another's pole.

const HIGHEST_CROWD = 10;

class LessonAxis {
  constructor() {
    this.above = element("div", { class: "marks above" });
    this.below = element("div", { class: "marks below" });
    this.line = element("div", { class: "line", "aria-hidden": "true" });
    for (const at of [0, 25, 50, 75, 100]) this.line.append(element("i", { style: `left:${at}%`, "data-at": `${at} %` }));
    this.spoken = element("p", { class: "spoken", "aria-live": "polite" });
    this.crowd = element("div", { class: "crowd", role: "img", hidden: true });
    this.box = element("div", { class: "axis", role: "group", "aria-label": "Estimates from 0 to 100 %" }, this.crowd, this.above, this.line, this.below, this.spoken);
    this.marks = new Map();
    new ResizeObserver(() => { this.wide = this.above.clientWidth; this.arrange(); }).observe(this.box);
  }

  // marks: { name, label, value, kind: seen | estimate | guess | truth, symbol }
  // bins: how many of a class guessed in each part of the axis; null without a class.
  show(marks, bins = null, dragFrame = 0) {
    this.showCrowd(bins);
    const shown = marks.filter((mark) => mark.value !== null && mark.value !== undefined && !Number.isNaN(mark.value));
    const wanted = new Set(shown.map((mark) => mark.name));
    for (const [name, mark] of this.marks) if (!wanted.has(name)) { mark.root.remove(); this.marks.delete(name); }
    for (const mark of shown) {
      let known = this.marks.get(mark.name);
      if (!known) {
        known = { root: element("div", {}, element("i", {}), element("b", {}), element("span", {})) };
        this.marks.set(mark.name, known);
      }
      Object.assign(known, mark);
      if (known.root.className !== `mark ${mark.kind}`) known.root.className = `mark ${mark.kind}`;
      if (known.symbol !== known.root.dataset.symbol) known.root.dataset.symbol = mark.symbol ?? "";
      if (dragFrame % 3 === 0 || !known.root.lastChild.said) setText(known.root.lastChild, `${mark.label} ${percent(mark.value)}`.replace(" %", "\u00a0%"));
      const home = mark.kind === "seen" ? this.below : this.above;
      if (known.root.parentNode !== home) home.append(known.root);
    }
    if (!dragFrame) setText(this.spoken, shown.map((mark) => `${mark.label}: ${percent(mark.value)}`).join(", "));
    this.arrange();
  }

  // The class as dots over the axis; of a large one each dot is several people.
  showCrowd(bins) {
    const key = JSON.stringify(bins);
    hide(this.crowd, !bins?.some(Boolean));
    if (key === this.crowdKey) return;
    this.crowdKey = key;
    if (this.crowd.hidden) return;
    const each = Math.ceil(Math.max(...bins) / HIGHEST_CROWD), total = bins.reduce((sum, n) => sum + n, 0);
    this.crowd.style.setProperty("--high", Math.max(...bins.map((n) => Math.ceil(n / each))));
    this.crowd.setAttribute("aria-label", `What ${total} of the class guessed`);
    this.crowd.title = each > 1 ? `One dot: ${each} guesses of the class` : "One dot: one guess of the class";
    this.crowd.replaceChildren(...bins.flatMap((n, bin) => Array.from({ length: Math.ceil(n / each) }, (_, at) => element("i", { style: `left:${100 * bin / (bins.length - 1)}%;bottom:calc(${at} * 0.62em)` }))));
  }

  arrange() {
    const width = this.wide ??= this.above.clientWidth;
    if (!width) return;
// A label is measured when it is new or has other words, by its figures it is as long as before: all of them
// before anything is written, else every label would be laid out by itself.
    for (const mark of this.marks.values()) {
      const key = `${mark.label.replace(/\d/g, "0")} ${width} ${mark.kind}`;
      if (mark.measured === key) continue;
      const words = mark.root.lastChild;
      Object.assign(words.style, { width: "auto", contain: "none" });
      Object.assign(mark, { measured: key, size: words.offsetWidth + 12 });
      Object.assign(words.style, { width: `${mark.size - 4}px`, contain: "" });
    }
    for (const home of [this.above, this.below]) {
      const marks = [...this.marks.values()].filter((mark) => mark.root.parentNode === home).sort((a, b) => a.value - b.value);
      const { placed, lanes } = flagsFor(marks, width);
      for (const flag of placed) hoist(flag, width);
      if (home.lanes !== lanes) home.style.setProperty("--lanes", Math.max(home.lanes = lanes, 1));
    }
  }
}

// Labels are flags: upright poles, so that one sees which label is whose. Those to the left of a split
// fly to the right, the others to the left. The split is where the fewest poles go through another
// label, then where the flags are lowest.
function flagsFor(marks, width) {
  let best = null;
  for (let split = marks.length; split >= 0; split--) {
    const flags = raiseFlags(marks, split, width), cost = [flags.cut, flags.crossed, flags.lanes];
    const isBetter = best === null || (cost.map((value, i) => value - best.cost[i]).find((off) => off !== 0) ?? 0) < 0;
    if (isBetter) best = { ...flags, cost };
  }
  return best;
}

// Gives every flag the lowest lane in which its label covers no pole of a lower one.
function raiseFlags(marks, split, width) {
  const all = marks.map((mark, i) => {
    const pole = mark.value * width, isRight = i < split;
    return { mark, pole, isRight, from: isRight ? pole : pole - mark.size, to: isRight ? pole + mark.size : pole };
  });
  const placed = [], overlaps = (a, b) => a.from < b.to && b.from < a.to;
// The innermost flag is the lowest one; those behind it look over it.
  for (const flag of [...all.slice(0, split).reverse(), ...all.slice(split)]) {
    const under = placed.filter((other) => other.isRight === flag.isRight && overlaps(flag, other)).map((other) => other.lane + 1);
    flag.lane = Math.max(0, ...under);
    while (placed.some((other) => other.lane === flag.lane && overlaps(flag, other))) flag.lane += 1;
    placed.push(flag);
  }
  const isCrossed = (flag) => placed.some((other) => other.lane > flag.lane && other.pole > flag.from + 1 && other.pole < flag.to - 1);
  return { placed, lanes: Math.max(0, ...placed.map(({ lane }) => lane + 1)), crossed: placed.filter(isCrossed).length, cut: placed.filter(({ from, to }) => from < -8 || to > width + 8).length };
}

// Sets a label beside the top of its pole; what moves is a transform, which needs no layout.
function hoist({ mark, lane, isRight, pole }) {
  const flies = isRight ? "right" : "left", place = `translateX(${pole.toFixed(1)}px)`;
  if (mark.lane !== lane) mark.root.style.setProperty("--lane", mark.lane = lane);
  if (mark.flies !== flies) mark.root.dataset.flies = mark.flies = flies;
  if (mark.place !== place) mark.root.style.transform = mark.place = place;
}
