// The picture of a network: boxes in rows and curves between them, values as bars inside the boxes.

const PADDING = 8, NAME_HEIGHT = 17, VALUE_HEIGHT = 17, BAR_WIDTH = 58, PERCENT_WIDTH = 48;
const CLASS_ALPHA = 0.3; // arrows of the class are seen, but behind all others
const COMPACT_PADDING = 5, COMPACT_PERCENT = 42;
const LEAST_WORDS = 8, COMPACT_WORDS = 12; // pixels: words that would be smaller give their room to the name
const LARGEST_NAME = 30;
const WEIGHED = -2, DASHES = [4, 3]; // what is known of a column, but not for sure: its values have dashed frames
const MOVING = 450; // milliseconds that bars take to their new places
const WORDS_SCALE = 0.35; // below it values are too small to be read or hit: only bars are drawn

class NetworkPicture extends CanvasView {
  constructor(root, handlers) {
    super(root);
    this.handlers = handlers;
    this.showClass = true;
    this.from = this.to = new Map();
    this.began = null;
    this.canvas.setAttribute("aria-label", "Network picture. Left and right move from column to column, plus and minus "
      + "zoom, X fills the screen. The field Table of has the same columns as a list.");
  }

  // Bars move from where they stand to their new places; numbers are at once what they are.
  take(data) {
    const same = data.network === this.data?.network && !window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.from = new Map(same ? [...this.to].map(([key, share]) => [key, this.standing(key, share)]) : []);
    this.to = new Map(this.from);
    for (const { column, values } of data.nodes) for (const [value, , share] of values) if (share !== null) this.to.set(`${column} ${value}`, share);
    this.began = same && [...this.to].some(([key, share]) => Math.abs((this.from.get(key) ?? share) - share) > 1e-4) ? performance.now() : null;
    this.data = data;
    this.byColumn = new Map(data.nodes.map((node) => [node.column, node]));
    this.ways = [...data.classArcs, ...data.arcs].map((arc) => ({ arc, way: pointsAlong(arc[2]) }));
  }

  standing(key, share) {
    const from = this.from.get(key) ?? share, passed = this.began === null ? 1 : Math.min((performance.now() - this.began) / MOVING, 1);
    return from + (share - from) * (1 - (1 - passed) ** 3);
  }

  barOf(node, value, share) { return share === null ? 0 : this.standing(`${node.column} ${value}`, share); }

  extent() { return this.data && { width: this.data.width, height: this.data.height }; }
  startBox() { return this.box(this.data.selected); }
  // One step leads from the whole of a large network to names that can be read.
  get actions() {
    return { ...super.actions, "zoom-in": () => this.zoom(1.5), "zoom-out": () => this.zoom(1 / 1.5) };
  }

  // Of a large network the whole first: one sees its shape before one reads it.
  placeAtStart() { super.placeAtStart(this.data.nodes.some((node) => node.compact) ? SMALLEST_SCALE : 0.85); }

  box(column) {
    const node = this.byColumn.get(column);
    if (!node) return null;
    const [left, top, width, height] = node.box;
    return { left, top, width, height };
  }

  paintScene(context, view) {
    const { data } = this;
    if (this.began !== null && performance.now() - this.began < MOVING) this.draw();
// Many arrows would hide each other: those of the chosen column stand out.
    const many = data.arcs.length > 80;
    if (this.showClass) this.drawClassArcs(context);
    for (const [parent, child, points, share] of data.arcs) {
      const near = this.isPicked(parent, child) || (!data.arc && (parent === data.selected || child === data.selected));
      const alpha = many ? 0.3 + 0.6 * share : 0.75; // of many, the weak ones stand back
      const [colour, dash] = this.lookOf(parent, child, near);
      this.drawArc(context, points, lineWidth(share), colour, near || dash.length ? 1 : alpha, dash);
    }
    for (const node of data.nodes) {
      const [left, top, width, height] = node.box;
      if (left > view.right || left + width < view.left || top > view.bottom || top + height < view.top) continue;
      this.drawNode(context, node);
    }
    if (this.line?.to) this.drawLine(context);
  }

  // Of two networks in one picture: arrows of both, only of this one, only of the other, and turned there.
  lookOf(parent, child, near) {
    const { paint, kinds } = this.data;
    const looks = [[paint.faint, []], [paint.accent, []], [paint.mark, [9, 5]], [paint.mark, [2, 3]]];
    return looks[kinds?.[`${parent} ${child}`]] ?? [near ? paint.accent : paint.faint, []];
  }

  // The arrow that is being drawn from one box to another.
  drawLine(context) {
    const [x0, y0, x1, y1] = [this.line.from, this.line.to].flatMap(({ x, y }) => [(x - this.offset.x) / this.scale, (y - this.offset.y) / this.scale]);
    const [dx, dy] = [(x1 - x0) / 3, (y1 - y0) / 3];
    this.drawArc(context, [x0, y0, x0 + dx, y0 + dy, x1 - dx, y1 - dy, x1, y1], 3, this.data.paint.mark, 1);
  }

  grab(found) { return Boolean(this.data.draws && found && found.parent === null); }

  drawn(from, to) {
    if (from && to && to.parent === null && from.column !== to.column) this.handlers.pick({ ...to, value: null, parent: from.column, drawn: true });
  }

  drawClassArcs(context) {
    const { data } = this;
    for (const [parent, column, points] of data.classArcs) {
      const near = data.arc ? this.isPicked(parent, column) : column === data.selected, [colour, dash] = this.lookOf(parent, column, near);
      this.drawArc(context, points, near ? 1.6 : 1, colour, near || data.kinds?.[`${parent} ${column}`] ? 1 : CLASS_ALPHA, dash);
    }
  }

  isPicked(parent, child) { return Boolean(this.data.arc) && this.data.arc[0] === parent && this.data.arc[1] === child; }

  drawArc(context, points, width, colour, alpha, dash = []) {
    const last = points.length - 2;
    const angle = Math.atan2(points[last + 1] - points[last - 1], points[last] - points[last - 2]);
    const head = 5 + width * 1.3;
    context.save();
    context.globalAlpha = alpha;
    context.strokeStyle = context.fillStyle = colour;
    context.lineWidth = width;
    context.setLineDash(dash);
    context.beginPath();
    context.moveTo(points[0], points[1]);
    for (let at = 2; at + 5 < points.length; at += 6) {
      const end = at + 5 === last + 1;
// The line ends inside the arrow head, not at its tip.
      const back = end ? head * 0.7 : 0;
      context.bezierCurveTo(points[at], points[at + 1], points[at + 2], points[at + 3],
        points[at + 4] - back * Math.cos(angle), points[at + 5] - back * Math.sin(angle));
    }
    context.stroke();
    context.translate(points[last], points[last + 1]);
    context.rotate(angle);
    context.beginPath();
    context.moveTo(0, 0);
    context.lineTo(-head, head * 0.42);
    context.lineTo(-head, -head * 0.42);
    context.fill();
    context.restore();
  }

  drawNode(context, node) {
    const { paint, selected } = this.data, [left, top, width, height] = node.box;
    context.fillStyle = node.fill;
    context.beginPath();
    context.roundRect(left, top, width, height, 7);
    context.fill();
    context.lineWidth = node.column === selected ? 3 : 1;
    context.strokeStyle = node.column === selected ? paint.text : paint.line;
    context.stroke();
    if (node.conflict) this.drawConflict(context, node);
    if (this.hasNameAlone(node)) { this.drawName(context, node); return; }
    context.fillStyle = node.ink;
    context.textBaseline = "middle";
    context.textAlign = "center";
    context.font = `600 13px ${this.family}`;
    let y = top + padding(node) + NAME_HEIGHT / 2;
    for (const line of node.lines) {
      context.fillText(line, left + width / 2, y, width - PADDING);
      y += NAME_HEIGHT;
    }
    if (node.known === WEIGHED) context.fillText("≈", left + padding(node) + 4, top + padding(node) + NAME_HEIGHT / 2);
    if (node.detail) {
      context.font = `11px ${this.family}`;
      context.fillText(node.detail, left + width / 2, y - 2, width - PADDING);
    }
    this.drawValues(context, node);
  }

  // Whether a box of a large network has no values, or is so small that they could not be read.
  hasNameAlone(node) { return node.compact && (!node.values.length || this.scale * COMPACT_WORDS < LEAST_WORDS); }

  // The name, and what is known, as large as the box allows; values come back when one zooms in.
  drawName(context, node) {
    const [left, top, width, height] = node.box, room = width - 2 * COMPACT_PADDING;
// Fitting takes a while: it is done once for a scale.
    if (node.fitted?.scale !== this.scale) node.fitted = { scale: this.scale, ...this.fitName(context, node, room) };
    const { size, lines } = node.fitted;
    context.font = `600 ${size}px ${this.family}`;
    context.fillStyle = node.ink;
    context.textBaseline = "middle";
    context.textAlign = "center";
    let y = top + height / 2 - (lines.length - 1) * size * 0.575;
    for (const line of lines) {
      context.fillText(line, left + width / 2, y, room);
      y += size * 1.15;
    }
  }

  fitName(context, node, room) {
    const known = node.values.find(([value]) => value === node.known);
    const name = node.lines.join(" "), extra = known ? [`✓ ${known[1]}`] : node.known === WEIGHED ? ["✓ weighed"] : [];
    const linesAt = (size) => {
      context.font = `600 ${size}px ${this.family}`;
      return [...brokenLines(name, room, (text) => context.measureText(text).width), ...extra];
    };
    let size = Math.min(LARGEST_NAME, 13 / this.scale), lines = linesAt(size);
    const isTooLarge = () => lines.length * size * 1.15 > node.box[3] - 4 || lines.some((line) => context.measureText(line).width > room);
    while (size > 13 && isTooLarge()) { size -= 1; lines = linesAt(size); }
    return { size, lines };
  }

  // A dashed frame around a box whose finding contradicts another: seen without colours, too.
  drawConflict(context, node) {
    const [left, top, width, height] = node.box;
    context.save();
    context.strokeStyle = this.data.paint.mark;
    context.lineWidth = 3;
    context.setLineDash([8, 4]);
    context.beginPath();
    context.roundRect(left - 4, top - 4, width + 8, height + 8, 10);
    context.stroke();
    context.restore();
  }

  valuesTop(node) {
    return node.box[1] + padding(node) + NAME_HEIGHT * node.lines.length + (node.detail ? 14 : 0) + 2;
  }

  drawValues(context, node) {
    const { paint } = this.data, [left, , width] = node.box, right = left + width - PADDING;
    let y = this.valuesTop(node);
    for (const [value, label, share, before] of node.values) {
      const known = node.known === value, bar = this.barOf(node, value, share);
      if (node.compact) { this.drawCompact(context, node, [label, share, known, bar], y); y += VALUE_HEIGHT; continue; }
      const barLeft = right - PERCENT_WIDTH - BAR_WIDTH;
      context.fillStyle = paint.track;
      context.fillRect(barLeft, y + 3, BAR_WIDTH, VALUE_HEIGHT - 6);
      context.fillStyle = node.apart ? paint.line : paint.bar;
      context.fillRect(barLeft, y + 3, BAR_WIDTH * bar, VALUE_HEIGHT - 6);
      const weighed = node.known === WEIGHED;
      context.lineWidth = known || weighed ? 2 : 0.6;
      context.strokeStyle = node.ink;
      context.setLineDash(weighed ? DASHES : []);
      context.strokeRect(barLeft, y + 3, BAR_WIDTH, VALUE_HEIGHT - 6);
      context.setLineDash([]);
      if (before !== null) this.drawBefore(context, barLeft + BAR_WIDTH * before, y);
      if (this.scale >= WORDS_SCALE) {
        context.fillStyle = node.ink;
        context.font = `${known ? 700 : 400} 11.5px ${this.family}`;
        context.textAlign = "left";
        context.fillText((known ? "✓ " : "") + label, left + PADDING, y + VALUE_HEIGHT / 2, barLeft - left - PADDING - 4);
        context.textAlign = "right";
        context.fillText(shareWords(share), right, y + VALUE_HEIGHT / 2, PERCENT_WIDTH - 4);
      }
      y += VALUE_HEIGHT;
    }
    if (node.more && this.scale >= WORDS_SCALE) {
      context.fillStyle = node.ink;
      context.font = `11px ${this.family}`;
      context.textAlign = "left";
      context.fillText(node.more, left + padding(node), y + VALUE_HEIGHT / 2);
    }
  }

  // Where a bar ends while nothing is known.
  drawBefore(context, x, y) {
    context.fillStyle = this.data.paint.page;
    context.fillRect(x - 2, y + 1, 4, VALUE_HEIGHT - 2);
    context.fillStyle = this.data.paint.text;
    context.fillRect(x - 1, y + 1, 2, VALUE_HEIGHT - 2);
  }

  // In a large network the bar lies behind the words: a box is half as wide, words twice as large.
  drawCompact(context, node, [label, share, known, bar], y) {
    const { paint } = this.data, left = node.box[0] + COMPACT_PADDING, width = node.box[2] - 2 * COMPACT_PADDING;
    context.fillStyle = paint.page;
    context.fillRect(left, y, width, VALUE_HEIGHT - 1);
    context.fillStyle = node.apart ? paint.line : paint.behind;
    context.fillRect(left, y, width * bar, VALUE_HEIGHT - 1);
    if (known || node.known === WEIGHED) {
      context.lineWidth = 2;
      context.strokeStyle = paint.text;
      context.setLineDash(known ? [] : DASHES);
      context.strokeRect(left, y, width, VALUE_HEIGHT - 1);
      context.setLineDash([]);
    }
    if (this.scale < WORDS_SCALE) return;
    context.fillStyle = paint.text;
    context.font = `${known ? 700 : 400} 12px ${this.family}`;
    context.textAlign = "left";
    context.fillText((known ? "✓ " : "") + label, left + 3, y + VALUE_HEIGHT / 2, width - COMPACT_PERCENT - 4);
    context.textAlign = "right";
    context.fillText(shareWords(share), left + width - 3, y + VALUE_HEIGHT / 2, COMPACT_PERCENT);
  }

  find(px, py) {
    for (const node of this.data.nodes) {
      const [left, top, width, height] = node.box;
      if (px < left || px > left + width || py < top || py > top + height) continue;
      const row = Math.floor((py - this.valuesTop(node)) / VALUE_HEIGHT);
      const hit = this.scale >= WORDS_SCALE && !this.hasNameAlone(node) && row >= 0 && row < node.values.length;
      return { column: node.column, value: hit ? node.values[row][0] : null, parent: null };
    }
    return this.findArc(px, py);
  }

  // The nearest arrow that passes close by: a click means the table it belongs to.
  findArc(px, py) {
    let nearest = 8 / this.scale, found = null;
    for (const { arc: [parent, child, , , words], way } of this.ways) {
      if (parent === this.data.target && !this.showClass) continue;
      for (const [x, y] of way) {
        const away = Math.hypot(x - px, y - py);
        if (away >= nearest) continue;
        nearest = away;
        found = { column: child, value: null, parent, words };
      }
    }
    return found;
  }

  hint(found) {
    const node = this.byColumn.get(found.column);
    if (found.parent !== null) return found.words;
    if (found.value === null || !this.data.asks) return node.values.length && this.hasNameAlone(node) ? `${node.words}\n${likeliest(node)}Zoom in for its values.` : node.words;
    const [, label, share, before] = node.values.find(([value]) => value === found.value);
    const weighed = node.known === WEIGHED ? "Its values are weighed: not known for sure.\n" : "";
    const what = weighed + (node.known === found.value ? "Click to forget it." : "Click if this is known.");
    const was = before === null ? "" : ` (${shareWords(before)} with nothing known)`;
    const chance = share === null ? "chance not known" : shareWords(share) + was;
    const clash = node.conflict ? "\nContradicts what else is known." : "";
    const apart = node.apart ? `\n${node.words.split("\n").at(-1)}` : "";
    return `${node.lines.join(" ")}: ${label}, ${chance}\n${what}${clash}${apart}`;
  }

  clicked(found) { this.handlers.pick(found); }
  doubleClicked() {}
}

function lineWidth(share) { return 0.8 + 3 * share; }

// Points on Bezier curves, about 2 pixels apart: of arrows side by side the nearest is found.
function pointsAlong(points) {
  const way = [];
  for (let at = 0; at + 7 < points.length; at += 6) {
    const [x0, y0, x1, y1, x2, y2, x3, y3] = points.slice(at, at + 8);
    const n = Math.ceil((Math.hypot(x1 - x0, y1 - y0) + Math.hypot(x2 - x1, y2 - y1) + Math.hypot(x3 - x2, y3 - y2)) / 2) + 1;
    for (let step = 0; step <= n; step += 1) {
      const t = step / n, u = 1 - t;
      way.push([u * u * u * x0 + 3 * u * u * t * x1 + 3 * u * t * t * x2 + t * t * t * x3,
        u * u * u * y0 + 3 * u * u * t * y1 + 3 * u * t * t * y2 + t * t * t * y3]);
    }
  }
  return way;
}

// The chances of the values that a box would show if it were larger.
function likeliest(node) {
  return node.values.map(([, label, share]) => `${label}: ${shareWords(share)}\n`).join("");
}

function padding(node) { return node.compact ? COMPACT_PADDING : PADDING; }

// Never "0 %" or "100 %" for what is only nearly so.
function shareWords(share) {
  if (share === null) return "–";
  if (share > 0 && share < 0.001) return "< 0.1 %";
  if (share < 1 && share > 0.999) return "> 99.9 %";
  return `${(100 * share).toFixed(1)} %`;
}
