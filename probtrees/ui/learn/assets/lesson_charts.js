// Small charts, drawn as SVG: they scroll with the page and have nothing that covers them.

const WIDE = 380, HIGH = 170, LEFT = 46, BOTTOM = 32, TOP = 13, RIGHT = 20;

// lines: { values: [[x, y], ...], label, kind }, bars: [[x0, x1, height], ...],
// marks: { x, label } vertical lines, dot: [x, y]. logX for settings that span orders.
function chart({ lines = [], bars = [], marks = [], dot = null, xRange, yRange, xTitle, yTitle, xText = roughly, yText = roughly, logX = false, alt }) {
  const scale = logX ? Math.log : (x) => x;
  const [x0, x1] = xRange.map(scale), [y0, y1] = yRange;
  const x = (value) => LEFT + (scale(value) - x0) / (x1 - x0 || 1) * (WIDE - LEFT - RIGHT);
  const y = (value) => HIGH - BOTTOM - (value - y0) / (y1 - y0 || 1) * (HIGH - BOTTOM - TOP);
// Names of lines stand above the plot, each beside a piece of its line.
  const named = lines.filter((line) => line.label), head = named.length * 14;
  const whole = svg("svg", { viewBox: `0 ${-head} ${WIDE} ${HIGH + head}`, class: "chart", role: "img", "aria-label": alt }), root = svg("g");
  whole.append(svg("title", { text: alt }), root);
  named.forEach(({ label, kind }, number) => {
    const at = 14 * number - head + 8;
    root.append(svg("line", { x1: LEFT, x2: LEFT + 22, y1: at - 4, y2: at - 4, class: `curve ${kind ?? ""}` }), svg("text", { x: LEFT + 28, y: at, class: "label", text: label }));
  });
  for (const at of logX ? logTicks(xRange) : [0, 0.25, 0.5, 0.75, 1].map((part) => xRange[0] + part * (xRange[1] - xRange[0]))) {
    root.append(svg("line", { x1: x(at), x2: x(at), y1: HIGH - BOTTOM, y2: HIGH - BOTTOM + 4, class: "tick" }));
    root.append(svg("text", { x: x(at), y: HIGH - BOTTOM + 15, class: "number middle", text: xText(at) }));
  }
  for (const part of [0, 0.5, 1]) {
    const at = y0 + part * (y1 - y0);
    root.append(svg("line", { x1: LEFT, x2: WIDE - RIGHT, y1: y(at), y2: y(at), class: "grid" }));
    root.append(svg("text", { x: LEFT - 5, y: y(at) + 4, class: "number end", text: yText(at) }));
  }
  for (const [from, to, height] of bars) {
    root.append(svg("rect", { x: x(from) + 0.5, width: Math.max(x(to) - x(from) - 1, 1), y: y(height), height: HIGH - BOTTOM - y(height), class: "column" }));
  }
// A curve that leaves the range leaves the picture: it is cut, not bent along the edge.
  const size = { width: WIDE - LEFT - RIGHT, height: HIGH - BOTTOM - TOP + 2 }, inside = svg("svg", { x: LEFT, y: TOP - 1, ...size, viewBox: `${LEFT} ${TOP - 1} ${size.width} ${size.height}` });
  root.append(inside);
  for (const { values, kind } of lines) {
    const points = values.map(([a, b]) => `${x(a).toFixed(1)},${y(b).toFixed(1)}`).join(" ");
    inside.append(svg("polyline", { points, class: `curve ${kind ?? ""}` }));
  }
  for (const mark of marks) {
    const at = x(mark.x), isRight = at > WIDE * 0.6;
    root.append(svg("line", { x1: at, x2: at, y1: TOP, y2: HIGH - BOTTOM, class: `mark ${mark.kind ?? ""}` }));
    root.append(svg("text", { x: at + (isRight ? -4 : 4), y: HIGH - BOTTOM - 6 - 13 * (mark.lane ?? 0), class: `label ${isRight ? "end" : ""} ${mark.kind ?? ""}`, text: mark.label }));
  }
  if (dot) root.append(svg("circle", { cx: x(dot[0]), cy: y(dot[1]), r: 6, class: "dot" }));
  root.append(svg("text", { x: (LEFT + WIDE - RIGHT) / 2, y: HIGH - 2, class: "title middle", text: xTitle }));
  if (yTitle) root.append(svg("text", { x: LEFT, y: 9, class: "title", text: yTitle }));
  return whole;
}

function logTicks([low, high]) {
  return [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 50, 100].filter((at) => at >= low * 0.99 && at <= high * 1.01);
}

function histogramOf(values, bins = 25) {
  const counts = new Array(bins).fill(0);
  for (const value of values) counts[Math.min(Math.floor(value * bins), bins - 1)] += 1;
  return counts.map((count, bin) => [bin / bins, (bin + 1) / bins, count]);
}

const SHARE = [0, 1];
const asPercent = (value) => `${Math.round(value * 100)} %`;

// An estimate against a setting, with the chosen point on it: the curve is the same function.
function settingChart(estimate, most, chosen, xTitle) {
  const values = Array.from({ length: 81 }, (_, i) => [i / 80 * most, estimate(i / 80 * most)]);
  return chart({ lines: [{ values }], dot: [chosen, estimate(chosen)], xRange: [0, most], yRange: SHARE, xTitle, yTitle: "estimate",
    yText: asPercent, alt: `The estimate against ${xTitle}; at ${roughly(chosen)} it is ${percent(estimate(chosen))}` });
}

// The methods on a known truth: a bar for 90 % of the answers, a dot for their mean. The one that
// the reader chose is marked.
function verdictChart(rows, truth, chosen, isNarrow) {
  const line = 21, left = isNarrow ? 96 : 112, right = 80, wide = isNarrow ? 360 : 520, height = TOP + rows.length * line + BOTTOM;
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
    root.append(svg("text", { x: wide - 2, y: y + 4, class: "number end", text: `off ${pointsText(row.error)}` }));
  });
  return root;
}
