// The axis from 0 to 100 % on which estimates slide: shares that were observed below it, estimates,
// guess and truth above it. Labels stand in as many lanes as they need.

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
        known = { root: element("div", {}, element("b", {}), element("span", {})) };
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
    for (const home of [this.above, this.below]) {
      const ends = [];
      const marks = [...this.marks.values()].filter((mark) => mark.root.parentNode === home).sort((a, b) => a.value - b.value);
      for (const mark of marks) {
        const label = mark.root.lastChild, { size } = mark, at = mark.value * width;
// Labels near the ends lean inwards; no label leaves the axis.
        const left = Math.min(Math.max(at - size / 2, 0), width - size);
        let lane = ends.findIndex((end) => end <= left);
        if (lane < 0) lane = ends.length;
        ends[lane] = left + size;
        label.style.marginLeft = `${left - at + 5}px`;
        mark.root.style.setProperty("--lane", lane);
      }
      home.style.setProperty("--lanes", Math.max(ends.length, 1));
    }
  }
}
