// The axis from 0 to 100 % on which estimates slide: shares that were observed below it, estimates,
// guess and truth above it. Labels stand in few lanes, each led to its mark by a line.

const MOST_LANES = 4, LANE = 1.5;

class LessonAxis {
  constructor() {
    this.above = element("div", { class: "marks above" });
    this.below = element("div", { class: "marks below" });
    this.line = element("div", { class: "line", "aria-hidden": "true" });
    for (const at of [0, 25, 50, 75, 100]) this.line.append(element("i", { style: `left:${at}%`, "data-at": `${at} %` }));
    this.spoken = element("p", { class: "spoken", "aria-live": "polite" });
    this.box = element("div", { class: "axis", role: "group", "aria-label": "Estimates from 0 to 100 %" }, this.above, this.line, this.below, this.spoken);
    this.marks = new Map();
    new ResizeObserver(() => this.arrange()).observe(this.box);
  }

  // marks: { name, label, value, kind: seen | estimate | guess | truth, symbol }
  show(marks) {
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
      known.root.dataset.symbol = mark.symbol ?? "";
      setText(known.root.lastChild, `${mark.label} ${percent(mark.value)}`.replace(" %", "\u00a0%"));
      const home = mark.kind === "seen" ? this.below : this.above;
      if (known.root.parentNode !== home) home.append(known.root);
      known.root.style.left = `${mark.value * 100}%`;
    }
    setText(this.spoken, shown.map((mark) => `${mark.label}: ${percent(mark.value)}`).join(", "));
    this.arrange();
  }

  arrange() {
    const width = this.box.clientWidth;
    if (!width) return;
// All widths are read before anything is written: else every label would be laid out by itself.
    for (const mark of this.marks.values()) mark.size = mark.root.lastChild.offsetWidth + 10;
    const em = parseFloat(getComputedStyle(this.box).fontSize);
    for (const home of [this.above, this.below]) {
      const marks = [...this.marks.values()].filter((mark) => mark.root.parentNode === home).sort((a, b) => a.value - b.value);
      const lanes = lanesFor(marks, width);
      for (const [lane, placed] of lanes.entries()) for (const { mark, left } of placed) lead(mark, left - mark.value * width, (lane * LANE + 0.6) * em, lane, home === this.above ? -1 : 1);
      home.style.setProperty("--lanes", Math.max(lanes.length, 1));
    }
  }
}

// Deals labels to lanes by turns: to the fewest in which each stands close to its mark.
function lanesFor(marks, width) {
  let lanes = [];
  for (let number = 1; number <= Math.min(MOST_LANES, marks.length); number++) {
    lanes = Array.from({ length: number }, (_, lane) => inOneLane(marks.filter((_, i) => i % number === lane), width));
    if (lanes.every((lane) => lane.every(({ mark, left }) => Math.abs(left + mark.size / 2 - mark.value * width) <= 0.75 * mark.size))) break;
  }
  return lanes;
}

// Labels side by side in the order of their marks, none beyond the ends of the axis.
function inOneLane(marks, width) {
  const placed = marks.map((mark) => ({ mark, left: Math.min(Math.max(mark.value * width - mark.size / 2, 0), width - mark.size) }));
  placed.forEach((one, i) => { if (i) one.left = Math.max(one.left, placed[i - 1].left + placed[i - 1].mark.size); });
  let end = width;
  for (const one of [...placed].reverse()) { one.left = Math.min(one.left, end - one.mark.size); end = one.left; }
  return placed;
}

// Sets a label so far beside its mark, and a line from the one to the other.
function lead(mark, left, high, lane, side) {
  const [line, , label] = mark.root.children, to = Math.min(Math.max(0, left + 10), left + mark.size - 10);
  label.style.marginLeft = `${left + 5}px`;
  mark.root.style.setProperty("--lane", lane);
  Object.assign(line.style, { width: `${Math.hypot(to, high)}px`, transform: `rotate(${Math.atan2(side * high, to)}rad)` });
}
