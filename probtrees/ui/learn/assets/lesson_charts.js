// Small charts, drawn as SVG: they scroll with the page and have nothing that covers them.

const WIDE = 380, HIGH = 170, LEFT = 46, BOTTOM = 32, TOP = 13, RIGHT = 20;

// lines: { values: [[x, y], ...], kind }, bars: [[x0, x1, height], ...],
// marks: { x, label } vertical lines; upTo: where lines end so far. A film draws on one root, which sets what changed.
function chart({ lines = [], bars = [], marks = [], xRange, yRange, xTitle, yTitle, xText = roughly, yText = roughly, alt, wide = WIDE, upTo = xRange[1] }, root = svg("svg", { role: "img" })) {
  const [x0, x1] = xRange, [y0, y1] = yRange, parts = [], add = (name, attributes, text = "") => parts.push([name, attributes, text]);
  const x = (value) => LEFT + (value - x0) / (x1 - x0 || 1) * (wide - LEFT - RIGHT);
  const y = (value) => HIGH - BOTTOM - (value - y0) / (y1 - y0 || 1) * (HIGH - BOTTOM - TOP);
  const pointsOf = (values) => (values.wide === wide ? values : Object.assign(values, { wide, points: values.map(([a, b]) => `${x(a).toFixed(1)},${y(b).toFixed(1)}`).join(" ") })).points;
  setAttributes(root, { viewBox: `0 0 ${wide} ${HIGH}`, class: "chart", "aria-label": alt });
  for (const at of [0, 0.25, 0.5, 0.75, 1].map((part) => xRange[0] + part * (xRange[1] - xRange[0]))) {
    add("line", { x1: x(at), x2: x(at), y1: HIGH - BOTTOM, y2: HIGH - BOTTOM + 4, class: "tick" });
    add("text", { x: x(at), y: HIGH - BOTTOM + 15, class: "number middle" }, xText(at));
  }
  for (const { values, kind } of lines) add("polyline", { points: pointsOf(values), class: `curve ${kind ?? ""}` });
  add("rect", { x: x(upTo) + 1, y: TOP - 4, width: wide - RIGHT - x(upTo), height: HIGH - BOTTOM - TOP + 3, class: "cover" });
  for (const part of [0, 0.5, 1]) {
    const at = y0 + part * (y1 - y0);
    add("line", { x1: LEFT, x2: wide - RIGHT, y1: y(at), y2: y(at), class: "grid" });
    add("text", { x: LEFT - 5, y: y(at) + 4, class: "number end" }, yText(at));
  }
  for (const [from, to, height] of bars) add("rect", { x: x(from) + 0.5, width: Math.max(x(to) - x(from) - 1, 1), y: y(height), height: HIGH - BOTTOM - y(height), class: "column" });
  for (const mark of marks) {
    const at = x(mark.x), isRight = at > wide * 0.6;
    add("line", { x1: at, x2: at, y1: TOP, y2: HIGH - BOTTOM, class: `mark ${mark.kind ?? ""}` });
    add("text", { x: at + (isRight ? -4 : 4), y: HIGH - BOTTOM - 6 - 13 * (mark.lane ?? 0), class: `label ${isRight ? "end" : ""} ${mark.kind ?? ""}` }, mark.label);
  }
  add("text", { x: (LEFT + wide - RIGHT) / 2, y: HIGH - 2, class: "title middle" }, xTitle);
  add("text", { x: LEFT, y: 9, class: "title" }, yTitle);
  if (parts.length !== root.childElementCount) root.replaceChildren(...parts.map(([name]) => svg(name)));
  parts.forEach(([, attributes, text], i) => { setAttributes(root.children[i], attributes); setText(root.children[i], text); });
  return root;
}

function histogramOf(values, bins = 25) {
  const counts = new Array(bins).fill(0);
  for (const value of values) counts[Math.min(Math.floor(value * bins), bins - 1)] += 1;
  return counts.map((count, bin) => [bin / bins, (bin + 1) / bins, count]);
}

const SHARE = [0, 1];
const asPercent = (value) => `${Math.round(value * 100)} %`;

// Who speaks for a node, as areas: a column for each voice, as wide as its rows and filled up to its share. The
// line is the level that all of it would settle at, which is the estimate. Nodes are made once and then only
// moved: this is drawn in every frame of a drag.
class Voices {
  constructor() {
    this.drawn = svg("g");
    this.level = svg("line", { x1: LEFT, class: "level" });
    this.words = svg("text", { class: "label level" });
    this.truth = svg("line", { x1: LEFT, x2: WIDE - RIGHT - 34, class: "mark truth" });
    this.known = svg("text", { x: LEFT + 4, class: "label truth", text: "truth" });
    this.root = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH + 14}`, class: "chart voices", role: "img" });
    for (const at of [0, 0.5, 1]) this.root.append(svg("line", { x1: LEFT, x2: WIDE - RIGHT - 34, y1: this.y(at), y2: this.y(at), class: "grid" }), svg("text", { x: LEFT - 5, y: this.y(at) + 4, class: "number end", text: asPercent(at) }));
    this.root.append(this.drawn, this.truth, this.known, this.level, this.words);
  }

  y(share) { return HIGH - BOTTOM - share * (HIGH - BOTTOM - TOP); }

  // voices: { name, rows, share }, the node's own first; truth: null where nobody knows it.
  show(voices, estimate, truth = null) {
    const total = voices.reduce((sum, voice) => sum + voice.rows, 0), wide = WIDE - RIGHT - 34 - LEFT, taken = [[], [], [], []];
    while (this.drawn.childElementCount > voices.length) this.drawn.lastChild.remove();
    while (this.drawn.childElementCount < voices.length) this.drawn.append(svg("g", {}, svg("rect", { class: "track" }), svg("rect", { class: "share" }), svg("line", { class: "tick" }), svg("text", { class: "label" })));
    let left = LEFT;
    voices.forEach(({ name, rows, share }, at) => {
      const [room, filled, tick, label] = this.drawn.children[at].children, width = total > 0 ? rows / total * wide : 0, middle = left + width / 2;
      const words = `${name}, ${rowsText(Number(roughly(rows).replace(",", "")))}`, size = 5.6 * words.length, from = Math.min(Math.max(middle - size / 2, 2), WIDE - size);
      let lane = taken.findIndex((others) => others.every(([a, b]) => from > b + 4 || from + size < a - 4));
      lane = lane < 0 ? taken.length - 1 : lane;
      taken[lane].push([from, from + size]);
      setAttributes(room, { x: left, y: this.y(1), width, height: this.y(0) - this.y(1) });
      setAttributes(filled, { x: left, y: this.y(share), width, height: this.y(0) - this.y(share), class: at ? "share lent" : "share" });
      setAttributes(tick, { x1: middle, x2: middle, y1: this.y(0), y2: this.y(0) + 5 + 13 * lane });
      setAttributes(label, { x: from, y: this.y(0) + 15 + 13 * lane });
      setText(label, words);
      left += width;
    });
    setAttributes(this.level, { x2: WIDE - RIGHT - 34, y1: this.y(estimate), y2: this.y(estimate) });
    setAttributes(this.words, { x: WIDE - RIGHT - 30, y: this.y(estimate) + 4 });
    setText(this.words, percent(estimate));
    const height = this.y(truth ?? 0), visibility = truth === null ? "hidden" : "visible";
    setAttributes(this.truth, { y1: height, y2: height, visibility });
    setAttributes(this.known, { y: height + (truth > estimate ? -4 : 12), visibility });
    const alt = `${voices.map((voice) => `${voice.name}: ${roughly(voice.rows)} rows at ${percent(voice.share)}`).join(", ")}; together ${percent(estimate)}`;
    if (alt !== this.alt) { this.alt = alt; this.root.setAttribute("aria-label", alt); }
    return this.root;
  }
}

// The methods on a known truth: a bar for 90 % of the answers, a dot for their mean. The one that
// the reader chose is marked.
function verdictChart(rows, truth, chosen, isNarrow) {
  const line = 21, left = isNarrow ? 96 : 112, right = 96, wide = isNarrow ? 360 : 520, height = TOP + rows.length * line + BOTTOM;
  const x = (value) => left + value * (wide - left - right);
  const alt = rows.map((row) => `${row.label}: off by ${percent(row.error)}`).join(", ");
  const root = svg("svg", { viewBox: `0 0 ${wide} ${height}`, class: "chart methods", role: "img", "aria-label": alt });
  for (const at of [0, 0.25, 0.5, 0.75, 1]) {
    root.append(svg("line", { x1: x(at), x2: x(at), y1: TOP, y2: height - BOTTOM, class: "grid" }));
    root.append(svg("text", { x: x(at), y: height - BOTTOM + 13, class: "number middle", text: asPercent(at) }));
  }
  root.append(svg("line", { x1: x(truth), x2: x(truth), y1: 2, y2: height - BOTTOM, class: "mark truth" }), svg("text", { x: x(truth), y: height - 4, class: "label middle truth", text: `truth ${percent(truth)}` }));
  rows.forEach((row, number) => {
    const y = TOP + number * line + line / 2;
    root.append(svg("text", { x: left - 6, y: y + 4, class: `label end ${number === 0 ? "best" : ""}`, text: row.name === chosen ? `▸ ${row.label}` : row.label }));
    root.append(svg("line", { x1: x(row.low), x2: x(row.high), y1: y, y2: y, class: "band" }));
    root.append(svg("circle", { cx: x(row.mean), cy: y, r: 4.5, class: "dot" }));
    root.append(svg("text", { x: wide - 2, y: y + 4, class: "number end", text: row.sure ? `${(100 * row.error).toFixed(1)} ± ${pointsText(row.sure)}` : `off ${pointsText(row.error)}` }));
  });
  return root;
}
