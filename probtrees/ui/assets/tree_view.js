// Draws a tree of up to tens of thousands of nodes: lays out what is open, draws what is in view.
// Text from the data is only ever drawn on the canvas or set as textContent, never parsed as HTML.

const CARD = { width: 186, height: 64, gapX: 42, gapY: 10, pad: 8 };
const FONT = 14;

class TreeView {
  constructor(root) {
    this.root = root;
    root.view = this;
    this.canvas = root.querySelector(".picture");
    this.minimap = root.querySelector(".minimap");
    this.tip = root.querySelector(".tip");
    this.input = root.querySelector("input");
    this.open = new Set();
    this.top = 0;
    this.scale = 1;
    this.offset = { x: 0, y: 0 };
    this.matches = [];
    this.isMatch = new Set();
    this.fitted = new Map();
    this.send = () => {};
    this.listen();
    new ResizeObserver(() => this.resized()).observe(this.canvas);
  }

  // ---- data from Python -------------------------------------------------------------------

  update(data) {
    const first = this.data === undefined;
    const newTree = first || data.tree !== this.data.tree;
    this.data = data;
    if (newTree) {
      this.open = new Set(data.open);
      this.top = 0;
      this.fitted.clear();
      this.clearSearch();
    }
    if (newTree || data.selected !== this.told) {
      this.selected = data.selected;
      this.told = data.selected;
      this.reveal(data.selected);
    }
    this.layOut();
    if (newTree) this.placeAtStart();
    else this.bringIntoView(this.selected);
    this.draw();
  }

  children(node) {
    const first = this.data.first[node];
    return first < 0 ? [] : Array.from({ length: this.data.n[node] }, (_, k) => first + k);
  }

  isLeaf(node) { return this.data.first[node] < 0; }

  path(node) {
    const nodes = [];
    for (let at = node; at >= 0; at = this.data.parent[at]) nodes.push(at);
    return nodes.reverse();
  }

  reveal(node) {
    if (node === null || node === undefined) return;
    const path = this.path(node);
    if (!path.includes(this.top)) this.top = 0;
    for (const step of path.slice(0, -1)) this.open.add(step);
  }

  // ---- layout: depth to the right, one row per open end -------------------------------------

  layOut() {
    const { open, top } = this;
    const x = new Map(), y = new Map(), order = [];
    const waiting = [[top, 0]];
    let row = 0;
    while (waiting.length) {
      const [node, depth] = waiting.pop();
      order.push(node);
      x.set(node, depth * (CARD.width + CARD.gapX));
      const children = open.has(node) ? this.children(node) : [];
      if (!children.length) y.set(node, row++ * (CARD.height + CARD.gapY));
      for (let k = children.length - 1; k >= 0; k--) waiting.push([children[k], depth + 1]);
    }
    for (let k = order.length - 1; k >= 0; k--) {
      const node = order[k];
      if (y.has(node)) continue;
      const children = this.children(node);
      y.set(node, (y.get(children[0]) + y.get(children[children.length - 1])) / 2);
    }
    let right = 0;
    for (const value of x.values()) right = Math.max(right, value);
    this.place = { x, y, order, width: right + CARD.width + 30, height: row * (CARD.height + CARD.gapY) };
    this.root.querySelector('[data-do="whole"]').hidden = top === 0;
  }

  size() { return { width: this.canvas.clientWidth || 1, height: this.canvas.clientHeight || 1 }; }

  fit(smallest = 0.02) {
    const { width, height } = this.size();
    const margin = 16;
    const scale = Math.min((width - 2 * margin) / this.place.width, (height - 2 * margin) / this.place.height, 1.15);
    this.scale = Math.max(scale, smallest);
    this.offset = {
      x: Math.max((width - this.place.width * this.scale) / 2, margin),
      y: Math.max((height - this.place.height * this.scale) / 2, margin),
    };
  }

  placeAtStart() {
    this.fit(this.size().width < 640 ? 0.6 : 0.72);
    const { height } = this.size();
    const middle = this.place.y.get(this.selected) ?? this.place.y.get(this.top);
    if (this.place.height * this.scale > height) {
      const lowest = height - 16 - this.place.height * this.scale;
      this.offset.y = Math.min(16, Math.max(height / 2 - (middle + CARD.height / 2) * this.scale, lowest));
    }
  }

  bringIntoView(node) {
    if (!this.place.x.has(node)) return;
    const { width, height } = this.size();
    const left = this.place.x.get(node) * this.scale + this.offset.x;
    const top = this.place.y.get(node) * this.scale + this.offset.y;
    const w = CARD.width * this.scale, h = CARD.height * this.scale;
    if (left < 0 || left + w > width) this.offset.x += width / 2 - left - w / 2;
    if (top < 0 || top + h > height) this.offset.y += height / 2 - top - h / 2;
  }

  // ---- drawing ----------------------------------------------------------------------------

  draw() {
    if (this.waitingToDraw) return;
    this.waitingToDraw = true;
    requestAnimationFrame(() => {
      this.waitingToDraw = false;
      if (this.data) { this.drawPicture(); this.drawMinimap(); }
    });
  }

  context(canvas) {
    const ratio = window.devicePixelRatio || 1;
    const width = Math.round(canvas.clientWidth * ratio), height = Math.round(canvas.clientHeight * ratio);
    if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; }
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
    return context;
  }

  drawPicture() {
    const context = this.context(this.canvas);
    const { width, height } = this.size();
    const { x, y, order } = this.place;
    const onPath = new Set(this.selected === null ? [] : this.path(this.selected));
    this.family = getComputedStyle(this.root).fontFamily;
    context.translate(this.offset.x, this.offset.y);
    context.scale(this.scale, this.scale);
    const view = {
      left: -this.offset.x / this.scale, top: -this.offset.y / this.scale,
      right: (width - this.offset.x) / this.scale, bottom: (height - this.offset.y) / this.scale,
    };
    const all = this.data.rows[0] || 1;
    for (const node of order) {
      if (node === this.top) continue;
      const parent = this.data.parent[node];
      this.drawEdge(context, view, x.get(parent) + CARD.width, y.get(parent) + CARD.height / 2,
        x.get(node), y.get(node) + CARD.height / 2, this.data.rows[node] / all, onPath.has(node));
    }
    this.drawn = [];
    for (const node of order) {
      const left = x.get(node), top = y.get(node);
      if (left > view.right || left + CARD.width + 40 < view.left) continue;
      if (top > view.bottom || top + CARD.height < view.top) continue;
      this.drawn.push(node);
      this.drawCard(context, node, left, top);
    }
  }

  drawEdge(context, view, x0, y0, x1, y1, share, marked) {
    if (Math.max(y0, y1) < view.top || Math.min(y0, y1) > view.bottom || x0 > view.right || x1 < view.left) return;
    const paint = this.data.paint;
    const bend = (x1 - x0) / 2;
    context.beginPath();
    context.moveTo(x0, y0);
    context.bezierCurveTo(x0 + bend, y0, x1 - bend, y1, x1, y1);
    context.lineWidth = 1 + 13 * Math.sqrt(Math.max(share, 0));
    context.strokeStyle = marked ? paint.accent : paint.line;
    context.globalAlpha = marked ? 0.85 : 0.45;
    context.setLineDash(share > 0 ? [] : [5, 5]);
    context.stroke();
    context.setLineDash([]);
    context.globalAlpha = 1;
  }

  drawCard(context, node, left, top) {
    const { paint, fill } = this.data;
    context.beginPath();
    context.roundRect(left, top, CARD.width, CARD.height, 7);
    context.fillStyle = fill[node];
    context.fill();
    const chosen = node === this.selected;
    context.lineWidth = chosen ? 3 : this.isMatch.has(node) ? 2.5 : this.isLeaf(node) ? 1.4 : 1;
    context.strokeStyle = chosen || this.isMatch.has(node) ? paint.accent : this.isLeaf(node) ? paint.faint : paint.line;
    if (this.isMatch.has(node) && !chosen) context.setLineDash([6, 3]);
    context.stroke();
    context.setLineDash([]);
    if (this.scale >= 0.5) this.drawDetails(context, node, left, top);
    else if (this.scale >= 0.16) this.drawHeadline(context, node, left, top);
    if (!this.isLeaf(node) && this.scale >= 0.3) this.drawToggle(context, node, left, top);
  }

  drawDetails(context, node, left, top) {
    const { paint } = this.data;
    const inner = CARD.width - 2 * CARD.pad;
    context.textBaseline = "middle";
    context.textAlign = "left";
    context.fillStyle = paint.text;
    context.font = `600 ${FONT}px ${this.family}`;
    context.fillText(this.fitText(context, this.data.title[node], inner), left + CARD.pad, top + 15);
    context.font = `${FONT - 1.5}px ${this.family}`;
    context.fillText(this.fitText(context, this.countsText(node), inner), left + CARD.pad, top + 33);
    let barWidth = inner;
    if (this.isLeaf(node)) {
      context.font = `700 ${FONT}px ${this.family}`;
      const text = percent(this.data.p[node]);
      const width = context.measureText(text).width;
      context.textAlign = "right";
      context.fillText(text, left + CARD.width - CARD.pad, top + 52);
      barWidth = inner - Math.max(width, 44) - 8;
    }
    this.drawBar(context, node, left + CARD.pad, top + 47, barWidth, 10);
  }

  drawHeadline(context, node, left, top) {
    context.textBaseline = "middle";
    context.textAlign = "center";
    context.fillStyle = this.data.paint.text;
    context.font = `600 ${FONT * 2}px ${this.family}`;
    context.fillText(percent(this.data.p[node]), left + CARD.width / 2, top + 22);
    this.drawBar(context, node, left + CARD.pad, top + 42, CARD.width - 2 * CARD.pad, 12);
  }

  drawBar(context, node, left, top, width, height) {
    const { bars, groups, colours } = this.data;
    let at = left;
    for (let k = 0; k < groups; k++) {
      const part = width * bars[node * groups + k] / 1000;
      context.fillStyle = colours[k];
      context.fillRect(at, top, part, height);
      at += part;
    }
  }

  drawToggle(context, node, left, top) {
    const { paint } = this.data;
    const text = this.open.has(node) ? "–" : `+${(this.data.below[node]).toLocaleString("en")}`;
    context.font = `600 ${FONT - 1}px ${this.family}`;
    const width = Math.max(context.measureText(text).width + 10, 20);
    context.beginPath();
    context.roundRect(left + CARD.width - 4, top + CARD.height / 2 - 10, width, 20, 10);
    context.fillStyle = paint.page;
    context.fill();
    context.lineWidth = 1;
    context.strokeStyle = paint.faint;
    context.stroke();
    context.fillStyle = paint.text;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(text, left + CARD.width - 4 + width / 2, top + CARD.height / 2 + 1);
  }

  fitText(context, text, width) {
    const key = `${context.font}|${width}|${text}`;
    let fitted = this.fitted.get(key);
    if (fitted === undefined) {
      fitted = text.length > 80 ? `${text.slice(0, 79)}…` : text;
      while (fitted.length > 1 && context.measureText(fitted).width > width) fitted = `${fitted.slice(0, -2).trimEnd()}…`;
      this.fitted.set(key, fitted);
    }
    return fitted;
  }

  countsText(node) {
    const rows = this.data.rows[node], cases = this.data.cases[node];
    if (!(rows > 0)) return "no rows";
    return `${count(rows)} ${rows === 1 ? "row" : "rows"} · ${count(cases)} ${this.data.outcome} (${percent(cases / rows)})`;
  }

  describe(node) {
    const lines = [this.data.title[node], this.countsText(node)];
    if (this.isLeaf(node)) lines.push(`estimate: ${percent(this.data.p[node])} ${this.data.outcome}`);
    else lines.push(`splits on ${this.data.split[node]}; ${this.data.below[node].toLocaleString("en")} nodes below`);
    return lines.join("\n");
  }

  drawMinimap() {
    const { width, height } = this.size();
    const whole = this.place;
    const hidden = whole.width * this.scale <= width && whole.height * this.scale <= height;
    this.minimap.style.visibility = hidden ? "hidden" : "visible";
    if (hidden) return;
    const context = this.context(this.minimap);
    const sx = this.minimap.clientWidth / whole.width, sy = this.minimap.clientHeight / whole.height;
    const tall = Math.max(CARD.height * sy, 1);
    for (const node of whole.order) {
      context.fillStyle = node === this.selected ? this.data.paint.accent : this.data.fill[node];
      context.fillRect(whole.x.get(node) * sx, whole.y.get(node) * sy, CARD.width * sx, tall);
    }
    context.strokeStyle = this.data.paint.accent;
    context.lineWidth = 1.5;
    context.strokeRect(-this.offset.x / this.scale * sx, -this.offset.y / this.scale * sy,
      width / this.scale * sx, height / this.scale * sy);
  }

  // ---- what people do -----------------------------------------------------------------------

  listen() {
    const { canvas } = this;
    this.root.querySelector(".bar").addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) this.act(button.dataset.do);
    });
    this.input.addEventListener("input", () => this.search(this.input.value));
    this.input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") { event.preventDefault(); this.act(event.shiftKey ? "previous" : "next"); }
    });
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      const point = this.point(event, canvas);
      this.zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0015)), point.x, point.y);
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => this.key(event));
    canvas.addEventListener("dblclick", (event) => {
      const hit = this.hit(this.point(event, canvas));
      if (hit && !hit.toggle) this.focusOn(hit.node);
    });
    this.listenToPointers();
    const jump = (event) => {
      if (!event.buttons) return;
      const point = this.point(event, this.minimap), { width, height } = this.size();
      this.offset.x = width / 2 - point.x / this.minimap.clientWidth * this.place.width * this.scale;
      this.offset.y = height / 2 - point.y / this.minimap.clientHeight * this.place.height * this.scale;
      this.draw();
    };
    this.minimap.addEventListener("pointerdown", jump);
    this.minimap.addEventListener("pointermove", jump);
  }

  listenToPointers() {
    const { canvas } = this;
    const down = new Map();
    let moved = 0, spread = 0;
    const distance = () => {
      const [a, b] = [...down.values()];
      return Math.hypot(a.x - b.x, a.y - b.y);
    };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      down.set(event.pointerId, this.point(event, canvas));
      if (down.size === 1) moved = 0;
      if (down.size === 2) spread = distance();
    });
    canvas.addEventListener("pointermove", (event) => {
      const point = this.point(event, canvas);
      const before = down.get(event.pointerId);
      if (!before) { this.hover(point); return; }
      down.set(event.pointerId, point);
      if (down.size === 2) {
        const now = distance();
        this.zoom(now / (spread || now), point.x, point.y);
        spread = now;
        moved = 99;
        return;
      }
      moved += Math.hypot(point.x - before.x, point.y - before.y);
      if (moved > 4) {
        this.offset.x += point.x - before.x;
        this.offset.y += point.y - before.y;
        this.draw();
      }
    });
    const up = (event) => {
      const point = down.get(event.pointerId);
      down.delete(event.pointerId);
      if (event.type === "pointerup" && point && moved <= 4) this.click(point);
    };
    canvas.addEventListener("pointerup", up);
    canvas.addEventListener("pointercancel", up);
    canvas.addEventListener("pointerleave", () => { this.tip.hidden = true; });
  }

  point(event, canvas) {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  hit(point) {
    const px = (point.x - this.offset.x) / this.scale, py = (point.y - this.offset.y) / this.scale;
    for (const node of this.drawn ?? []) {
      const left = this.place.x.get(node), top = this.place.y.get(node);
      if (py < top || py > top + CARD.height || px < left) continue;
      const toggle = !this.isLeaf(node) && this.scale >= 0.3 && px >= left + CARD.width - 6 && px <= left + CARD.width + 34;
      if (toggle) return { node, toggle };
      if (px <= left + CARD.width) return { node, toggle: false };
    }
    return null;
  }

  hover(point) {
    const hit = this.hit(point);
    this.canvas.classList.toggle("over", hit !== null);
    this.tip.hidden = hit === null;
    if (!hit) return;
    this.tip.textContent = this.describe(hit.node);
    const { width, height } = this.size();
    this.tip.style.left = `${Math.min(point.x + 14, Math.max(width - 260, 0))}px`;
    this.tip.style.top = point.y + 100 > height ? `${point.y - 84}px` : `${point.y + 18}px`;
  }

  click(point) {
    const hit = this.hit(point);
    if (!hit) return;
    if (hit.toggle) this.toggle(hit.node);
    else this.select(hit.node);
  }

  select(node) {
    this.selected = node;
    this.told = node;
    this.root.querySelector(".spoken").textContent = this.describe(node).replaceAll("\n", ", ");
    this.draw();
    this.send(node);
  }

  toggle(node) {
    if (this.isLeaf(node)) return;
    const before = { x: this.place.x.get(node), y: this.place.y.get(node) };
    if (this.open.has(node)) this.open.delete(node); else this.open.add(node);
    this.layOut();
    this.offset.y += (before.y - this.place.y.get(node)) * this.scale;
    this.draw();
  }

  zoom(factor, x = this.size().width / 2, y = this.size().height / 2) {
    const scale = Math.min(Math.max(this.scale * factor, 0.02), 3);
    this.offset.x = x - (x - this.offset.x) * scale / this.scale;
    this.offset.y = y - (y - this.offset.y) * scale / this.scale;
    this.scale = scale;
    this.draw();
  }

  focusOn(node) {
    this.top = this.isLeaf(node) ? Math.max(this.data.parent[node], 0) : node;
    this.open.add(this.top);
    this.layOut();
    this.fit(0.5);
    this.draw();
  }

  wholeTree() {
    this.top = 0;
    this.reveal(this.selected);
    this.layOut();
    this.placeAtStart();
    this.draw();
  }

  openLevel() {
    const ends = this.place.order.filter((node) => !this.isLeaf(node) && !this.open.has(node));
    for (const node of ends) this.open.add(node);
    this.relaid();
  }

  closeLevel() {
    let deepest = 0;
    for (const node of this.place.order) if (this.open.has(node)) deepest = Math.max(deepest, this.place.x.get(node));
    if (deepest > 0) for (const node of this.place.order) if (this.place.x.get(node) === deepest) this.open.delete(node);
    this.relaid();
  }

  relaid() {
    const anchor = this.place.x.has(this.selected) ? this.selected : this.top;
    const before = this.place.y.get(anchor);
    this.layOut();
    const now = this.place.y.get(anchor) ?? this.place.y.get(this.top);
    this.offset.y += (before - now) * this.scale;
    this.bringIntoView(this.place.y.has(anchor) ? anchor : this.top);
    this.draw();
  }

  act(what) {
    if (what === "zoom-in") this.zoom(1.25);
    else if (what === "zoom-out") this.zoom(0.8);
    else if (what === "fit") { this.fit(); this.draw(); }
    else if (what === "open") this.openLevel();
    else if (what === "close") this.closeLevel();
    else if (what === "focus") this.focusOn(this.selected ?? 0);
    else if (what === "whole") this.wholeTree();
    else if (what === "next") this.step(1);
    else if (what === "previous") this.step(-1);
  }

  key(event) {
    const keys = {
      "+": () => this.act("zoom-in"), "=": () => this.act("zoom-in"), "-": () => this.act("zoom-out"),
      0: () => this.act("fit"), o: () => this.act("open"), c: () => this.act("close"),
      f: () => this.act("focus"), Escape: () => this.act("whole"), "/": () => this.input.focus(),
      ArrowLeft: () => this.walk("left"), ArrowRight: () => this.walk("right"),
      ArrowUp: () => this.walk("up"), ArrowDown: () => this.walk("down"),
      Enter: () => this.toggle(this.selected), " ": () => this.toggle(this.selected),
    };
    if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }

  walk(way) {
    const at = this.place.x.has(this.selected) ? this.selected : this.top;
    let to = at;
    if (way === "left" && at !== this.top) to = this.data.parent[at];
    else if (way === "right" && !this.isLeaf(at)) {
      if (!this.open.has(at)) this.toggle(at);
      to = this.data.first[at];
    } else if (way === "up" || way === "down") {
      const order = this.place.order, step = way === "up" ? -1 : 1;
      to = order[Math.min(Math.max(order.indexOf(at) + step, 0), order.length - 1)];
    }
    if (to === at) return;
    this.selected = to;
    this.bringIntoView(to);
    clearTimeout(this.sending);
    this.root.querySelector(".spoken").textContent = this.describe(to).replaceAll("\n", ", ");
    this.draw();
    this.sending = setTimeout(() => this.select(to), 250);
  }

  // ---- search -------------------------------------------------------------------------------

  clearSearch() {
    this.input.value = "";
    this.search("");
  }

  search(text) {
    this.matches = text.trim() ? findNodes(this.data, text) : [];
    this.isMatch = new Set(this.matches);
    this.at = -1;
    const shown = this.root.querySelector(".matches");
    shown.textContent = text.trim() ? `${this.matches.length.toLocaleString("en")} found` : "";
    this.draw();
  }

  step(by) {
    if (!this.matches.length) return;
    const n = this.matches.length;
    this.at = this.at < 0 ? (by > 0 ? 0 : n - 1) : (this.at + by + n) % n;
    const node = this.matches[this.at];
    this.reveal(node);
    this.layOut();
    this.scale = Math.max(this.scale, 0.72);
    this.selected = node;
    this.bringIntoView(node);
    this.root.querySelector(".matches").textContent = `${this.at + 1} of ${n.toLocaleString("en")}`;
    this.select(node);
  }

  resized() {
    const { width } = this.size();
    if (this.data && this.lastWidth !== undefined && Math.abs(width - this.lastWidth) > 60) this.placeAtStart();
    this.lastWidth = width;
    this.draw();
  }
}

// Matches all parts of a query: "n < 5", "p > 0.9", "class = sick", or text in a node's branch.
function findNodes(data, query) {
  const tests = query.split(/\s+(?:and|&&)\s+|,/i).map((part) => part.trim()).filter(Boolean).map((part) => {
    const number = part.match(/^(n|rows|p)\s*(<=|>=|<|>|=|≤|≥)\s*([0-9.]+)\s*(%?)$/i);
    if (number) {
      const values = number[1].toLowerCase() === "p" ? data.p : data.rows;
      const limit = Number(number[3]) / (number[4] ? 100 : 1);
      const leavesOnly = values === data.p;
      return (node) => !(leavesOnly && data.first[node] >= 0) && compare(values[node], number[2], limit);
    }
    const text = part.toLowerCase();
    const named = text.match(/^(.+?)\s*=\s*(.+)$/);
    const wanted = named && [data.target.toLowerCase(), "class"].includes(named[1]) ? named[2] : null;
    return (node) => data.title[node].toLowerCase().includes(text)
      || (wanted !== null && data.first[node] < 0 && data.classes[data.best[node]].toLowerCase() === wanted);
  });
  const found = [];
  for (let node = 0; node < data.parent.length; node++) if (tests.every((test) => test(node))) found.push(node);
  return found;
}

function compare(value, sign, limit) {
  if (sign === "<") return value < limit;
  if (sign === ">") return value > limit;
  if (sign === "<=" || sign === "≤") return value <= limit;
  if (sign === ">=" || sign === "≥") return value >= limit;
  return Math.abs(value - limit) < 1e-9;
}

// The same digits as draw/node_card.py prints.
function percent(p) {
  if (p === 0 || p === 1) return `${p * 100} %`;
  if (p < 1e-5) return "< 0.001 %";
  if (p > 1 - 1e-5) return "> 99.999 %";
  const extreme = Math.min(p, 1 - p);
  return `${(p * 100).toFixed(extreme >= 0.005 ? 1 : extreme >= 0.0005 ? 2 : 3)} %`;
}

function count(value) {
  return value.toLocaleString("en", { maximumFractionDigits: 2 });
}

const views = new WeakMap();

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector(".tree-view");
  if (!views.has(root)) views.set(root, new TreeView(root));
  const view = views.get(root);
  view.send = (node) => setTriggerValue("selected", node);
  view.update(data);
}
