// The picture: lays out what is open, draws what is in view. Depth runs to the right.

// All sizes are in the units of the layout: pixels at a scale of 1.
const CARD = { width: 186, height: 64, gapX: 42, gapY: 10, pad: 8 };
const FONT = 14;
const MARGIN = 14;

class TreePicture {
  constructor(state, stage, handlers) {
    this.state = state;
    this.handlers = handlers;
    this.canvas = stage.querySelector(".picture");
    this.minimap = stage.querySelector(".minimap");
    this.tip = stage.querySelector(".tip");
    this.scale = 1;
    // A point of the layout is drawn at point * scale + offset; `hit` goes the other way.
    // `fitted` keeps shortened texts, since measuring text is what drawing spends its time on.
    this.offset = { x: 0, y: 0 };
    this.fitted = new Map();
    this.drawn = [];
    this.listenToPointers();
    this.listenToMinimap();
    new ResizeObserver(() => this.resized()).observe(this.canvas);
  }

  // ---- layout -------------------------------------------------------------------------------

// Open nodes are visited from top to bottom, so every end of a branch gets the next free row. Going
// back through the same order, children come before their parent, which stands midway between the
// first and the last of them. Two passes, no recursion: trees may be thousands of levels deep.
  layOut() {
    const { state } = this;
    const x = new Map(), y = new Map(), order = [];
    let row = 0, right = 0;
    for (const [node, depth] of state.visible()) {
      order.push(node);
      x.set(node, depth * (CARD.width + CARD.gapX));
      right = Math.max(right, x.get(node));
      if (state.isLeaf(node) || !state.open.has(node)) y.set(node, row++ * (CARD.height + CARD.gapY));
    }
    for (let k = order.length - 1; k >= 0; k--) {
      if (y.has(order[k])) continue;
      const children = state.children(order[k]);
      y.set(order[k], (y.get(children[0]) + y.get(children[children.length - 1])) / 2);
    }
    this.place = { x, y, order, width: right + CARD.width + 24, height: row * (CARD.height + CARD.gapY) - CARD.gapY };
  }

// At least 1: before the page is laid out the canvas has no size, and 0 would divide.
  size() { return { width: this.canvas.clientWidth || 1, height: this.canvas.clientHeight || 1 }; }

  fit(smallest = 0.02) {
    const { width, height } = this.size();
    const scale = Math.min((width - 2 * MARGIN) / this.place.width, (height - 2 * MARGIN) / this.place.height, 1.1);
    this.scale = Math.max(scale, smallest);
    this.offset = {
      x: Math.max((width - this.place.width * this.scale) / 2, MARGIN),
      y: Math.max((height - this.place.height * this.scale) / 2, MARGIN),
    };
  }

  // Large enough to be read; where that is too large to fit, around the selected node.
  placeAtStart() {
    this.fit(0.74);
    const { width, height } = this.size();
    const node = this.place.x.has(this.state.selected) ? this.state.selected : this.state.top;
    if (this.place.height * this.scale > height - 2 * MARGIN) {
      const lowest = height - MARGIN - this.place.height * this.scale;
      const middle = (this.place.y.get(node) + CARD.height / 2) * this.scale;
      this.offset.y = Math.min(MARGIN, Math.max(height / 2 - middle, lowest));
    }
    const end = (this.place.x.get(node) + CARD.width + 24) * this.scale + this.offset.x;
    if (end > width) this.offset.x -= end - width + MARGIN;
  }

// Moves only as far as needed, and only in the direction in which the node is out of sight.
  bringIntoView(node) {
    if (!this.place.x.has(node)) return;
    const { width, height } = this.size();
    const left = this.place.x.get(node) * this.scale + this.offset.x;
    const top = this.place.y.get(node) * this.scale + this.offset.y;
    const w = CARD.width * this.scale, h = CARD.height * this.scale;
    if (left < 0 || left + w > width) this.offset.x += width / 2 - left - w / 2;
    if (top < 0 || top + h > height) this.offset.y += height / 2 - top - h / 2;
  }

  // Lays out again while one node stays where it is on the screen.
  layOutAround(node) {
    const before = this.place.y.get(node);
    this.layOut();
    const now = this.place.y.get(node);
    if (before !== undefined && now !== undefined) this.offset.y += (before - now) * this.scale;
    this.draw();
  }

// The point under the pointer stays where it is.
  zoom(factor, x = this.size().width / 2, y = this.size().height / 2) {
    const scale = Math.min(Math.max(this.scale * factor, 0.02), 3);
    this.offset.x = x - (x - this.offset.x) * scale / this.scale;
    this.offset.y = y - (y - this.offset.y) * scale / this.scale;
    this.scale = scale;
    this.draw();
  }

  resized() {
    const { width } = this.size();
    // A phone's address bar changes the size a little all the time: that must not move the picture.
    if (this.place && Math.abs(width - (this.lastWidth ?? 0)) > 60) this.placeAtStart();
    this.lastWidth = width;
    this.draw();
  }

  // ---- drawing ------------------------------------------------------------------------------

  draw() {
// Many events ask for a drawing; one per frame is enough.
    if (this.waitingToDraw) return;
    this.waitingToDraw = true;
    requestAnimationFrame(() => {
      this.waitingToDraw = false;
      if (this.place && this.canvas.clientWidth) { this.drawTree(); this.drawMinimap(); }
    });
  }

  context(canvas) {
// The canvas has as many pixels as the screen, so that text is sharp; assigning a size clears it,
// which takes time, so only when it has changed.
    const ratio = window.devicePixelRatio || 1;
    const width = Math.round(canvas.clientWidth * ratio), height = Math.round(canvas.clientHeight * ratio);
    if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; }
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
    return context;
  }

  drawTree() {
    const context = this.context(this.canvas);
    const { width, height } = this.size();
    const { state, place } = this;
    const onPath = new Set(state.path(state.selected));
// A canvas does not inherit the font of the page.
    this.family = getComputedStyle(this.canvas).fontFamily;
    context.translate(this.offset.x, this.offset.y);
    context.scale(this.scale, this.scale);
    const view = {
      left: -this.offset.x / this.scale, top: -this.offset.y / this.scale,
      right: (width - this.offset.x) / this.scale, bottom: (height - this.offset.y) / this.scale,
    };
// Edges first, so that cards lie on top of them. `drawn` is what a click can hit.
    for (const node of place.order) if (node !== state.top) this.drawEdge(context, view, node, onPath.has(node));
    this.drawn = place.order.filter((node) => {
      const left = place.x.get(node), top = place.y.get(node);
      return left < view.right && left + CARD.width + 40 > view.left && top < view.bottom && top + CARD.height > view.top;
    });
    for (const node of this.drawn) this.drawCard(context, node, place.x.get(node), place.y.get(node));
  }

  drawEdge(context, view, node, marked) {
    const { data } = this.state, { x, y } = this.place;
    const parent = data.parent[node];
    const x0 = x.get(parent) + CARD.width, y0 = y.get(parent) + CARD.height / 2;
    const x1 = x.get(node), y1 = y.get(node) + CARD.height / 2;
// An edge may cross the view though both of its cards are outside.
    if (Math.max(y0, y1) < view.top || Math.min(y0, y1) > view.bottom || x0 > view.right || x1 < view.left) return;
    const share = Math.max(data.rows[node] / (data.rows[0] || 1), 0), bend = (x1 - x0) / 2;
    context.beginPath();
    context.moveTo(x0, y0);
    context.bezierCurveTo(x0 + bend, y0, x1 - bend, y1, x1, y1);
// By the square root: else all edges but the first few would be hairlines.
    context.lineWidth = 1 + 13 * Math.sqrt(share);
    context.strokeStyle = marked ? data.paint.accent : data.paint.line;
    context.globalAlpha = marked ? 0.85 : 0.45;
    context.setLineDash(share > 0 ? [] : [5, 5]);
    context.stroke();
    context.setLineDash([]);
    context.globalAlpha = 1;
  }

  drawCard(context, node, left, top) {
    const { state } = this, { paint, fill } = state.data;
    const chosen = node === state.selected, found = state.isMatch.has(node), leaf = state.isLeaf(node);
    context.beginPath();
    context.roundRect(left, top, CARD.width, CARD.height, 7);
    context.fillStyle = fill[node];
    context.fill();
    context.lineWidth = chosen ? 3.5 : found ? 2.5 : leaf ? 1.4 : 1;
    context.strokeStyle = chosen || found ? paint.accent : leaf ? paint.faint : paint.line;
    if (found && !chosen) context.setLineDash([6, 3]);
    context.stroke();
    context.setLineDash([]);
// Far out there is no room for text: first only the number is left, then only the colour.
    if (this.scale >= 0.5) this.drawDetails(context, node, left, top);
    else if (this.scale >= 0.16) this.drawHeadline(context, node, left, top);
    if (!leaf && this.scale >= 0.3) this.drawToggle(context, node, left, top);
  }

  drawDetails(context, node, left, top) {
    const { data } = this.state;
    const inner = CARD.width - 2 * CARD.pad;
    context.textBaseline = "middle";
    context.textAlign = "left";
    context.fillStyle = data.paint.text;
    context.font = `600 ${FONT}px ${this.family}`;
    context.fillText(this.fitText(context, data.title[node], inner), left + CARD.pad, top + 15);
    context.font = `${FONT - 1.5}px ${this.family}`;
    context.fillText(this.fitText(context, countsText(data, node), inner), left + CARD.pad, top + 33);
    let barWidth = inner;
    if (this.state.isLeaf(node)) {
      context.font = `700 ${FONT}px ${this.family}`;
      const text = percent(data.p[node]);
      context.textAlign = "right";
      context.fillText(text, left + CARD.width - CARD.pad, top + 52);
// All bars end at the same place, unless a number is very long.
      barWidth = inner - Math.max(context.measureText(text).width, 46) - 8;
    }
    this.drawBar(context, node, left + CARD.pad, top + 47, barWidth, 10);
    if (data.other && this.state.isLeaf(node)) this.drawOther(context, node, left + CARD.pad, top + 47, barWidth);
  }

  drawHeadline(context, node, left, top) {
    const { data } = this.state;
    context.textBaseline = "middle";
    context.textAlign = "center";
    context.fillStyle = data.paint.text;
    context.font = `600 ${FONT * 2}px ${this.family}`;
    context.fillText(percent(data.p[node]), left + CARD.width / 2, top + 22);
    this.drawBar(context, node, left + CARD.pad, top + 42, CARD.width - 2 * CARD.pad, 12);
  }

  drawBar(context, node, left, top, width, height) {
    const { bars, groups, colours } = this.state.data;
    let at = left;
    for (let k = 0; k < groups; k++) {
// Bars come in thousandths that add up to 1000, node after node in one long list.
      const part = width * bars[node * groups + k] / 1000;
      context.fillStyle = colours[k];
      context.fillRect(at, top, part, height);
      at += part;
    }
  }

  // A tick where the second smoother's probability lies.
  drawOther(context, node, left, top, width) {
    const { data } = this.state;
    context.fillStyle = data.paint.text;
    context.fillRect(left + width * data.other[node] - 1.5, top - 3, 3, 16);
  }

  drawToggle(context, node, left, top) {
    const { data, open } = this.state;
    const text = open.has(node) ? "–" : `+${count(data.below[node])}`;
    context.font = `600 ${FONT - 1}px ${this.family}`;
    const width = Math.max(context.measureText(text).width + 10, 20);
    context.beginPath();
    context.roundRect(left + CARD.width - 4, top + CARD.height / 2 - 10, width, 20, 10);
    context.fillStyle = data.paint.page;
    context.fill();
    context.lineWidth = 1;
    context.strokeStyle = data.paint.faint;
    context.stroke();
    context.fillStyle = data.paint.text;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(text, left + CARD.width - 4 + width / 2, top + CARD.height / 2 + 1);
  }

  fitText(context, text, width) {
    const key = `${context.font}|${text}`;
    let fitted = this.fitted.get(key);
    if (fitted === undefined) {
      fitted = text.length > 80 ? `${text.slice(0, 79)}…` : text;
// Drops one letter at a time, so long texts are cut first.
      while (fitted.length > 1 && context.measureText(fitted).width > width) fitted = `${fitted.slice(0, -2).trimEnd()}…`;
      this.fitted.set(key, fitted);
    }
    return fitted;
  }

  drawMinimap() {
    const { width, height } = this.size();
    const whole = this.place;
// Everything is in view: a map of it would only hide something.
    const hidden = whole.width * this.scale <= width && whole.height * this.scale <= height;
    this.minimap.style.visibility = hidden ? "hidden" : "visible";
    if (hidden) return;
    const context = this.context(this.minimap), { data, selected } = this.state;
    const sx = this.minimap.clientWidth / whole.width, sy = this.minimap.clientHeight / whole.height;
    for (const node of whole.order) {
      context.fillStyle = node === selected ? data.paint.accent : data.fill[node];
      context.fillRect(whole.x.get(node) * sx, whole.y.get(node) * sy, CARD.width * sx, Math.max(CARD.height * sy, 1));
    }
    context.strokeStyle = data.paint.accent;
    context.lineWidth = 1.5;
    context.strokeRect(-this.offset.x / this.scale * sx, -this.offset.y / this.scale * sy,
      width / this.scale * sx, height / this.scale * sy);
  }

  // ---- mouse and fingers --------------------------------------------------------------------

  point(event, canvas) {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  hit(point) {
    const px = (point.x - this.offset.x) / this.scale, py = (point.y - this.offset.y) / this.scale;
    for (const node of this.drawn) {
      const left = this.place.x.get(node), top = this.place.y.get(node);
      if (py < top || py > top + CARD.height || px < left) continue;
      const canToggle = !this.state.isLeaf(node) && this.scale >= 0.3;
// The button hangs over the right edge of its card and is wider than it looks, for fingers.
      if (canToggle && px >= left + CARD.width - 6 && px <= left + CARD.width + 34) return { node, toggle: true };
      if (px <= left + CARD.width) return { node, toggle: false };
    }
    return null;
  }

  listenToPointers() {
    const { canvas } = this;
// Fingers and mouse buttons that are down, by id: one moves the picture, two zoom it.
    const down = new Map();
    let moved = 0, spread = 0;
    const distance = () => {
      const [a, b] = [...down.values()];
      return Math.hypot(a.x - b.x, a.y - b.y);
    };
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      const { x, y } = this.point(event, canvas);
// Turning back by as much leads back to the same scale; mode 1 counts lines instead of pixels.
      this.zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0015)), x, y);
    }, { passive: false });
    canvas.addEventListener("pointerdown", (event) => {
// So that a drag goes on outside of the canvas and its end is not missed.
      canvas.setPointerCapture(event.pointerId);
      down.set(event.pointerId, this.point(event, canvas));
      if (down.size === 1) moved = 0;
      if (down.size === 2) spread = distance();
    });
    canvas.addEventListener("pointermove", (event) => {
      const point = this.point(event, canvas), before = down.get(event.pointerId);
      if (!before) { this.hover(point); return; }
      down.set(event.pointerId, point);
      if (down.size === 2) {
        this.zoom(distance() / (spread || 1), point.x, point.y);
        spread = distance();
// A pinch is no click, however little its fingers have moved.
        moved = 99;
        return;
      }
      moved += Math.hypot(point.x - before.x, point.y - before.y);
// A hand that clicks trembles.
      if (moved <= 4) return;
      this.offset.x += point.x - before.x;
      this.offset.y += point.y - before.y;
      this.draw();
    });
    const up = (event) => {
      const point = down.get(event.pointerId);
      down.delete(event.pointerId);
      const hit = event.type === "pointerup" && point && moved <= 4 ? this.hit(point) : null;
      if (hit) this.handlers[hit.toggle ? "toggle" : "select"](hit.node);
    };
    canvas.addEventListener("pointerup", up);
    canvas.addEventListener("pointercancel", up);
    canvas.addEventListener("pointerleave", () => { this.tip.hidden = true; });
    canvas.addEventListener("dblclick", (event) => {
      const hit = this.hit(this.point(event, canvas));
      if (hit && !hit.toggle) this.handlers.focus(hit.node);
    });
  }

  hover(point) {
    const hit = this.hit(point);
    this.canvas.classList.toggle("over", hit !== null);
    this.tip.hidden = hit === null;
    if (!hit) return;
    this.tip.textContent = describe(this.state.data, hit.node);
    const { width, height } = this.size();
    this.tip.style.left = `${Math.min(point.x + 14, Math.max(width - 260, 0))}px`;
    this.tip.style.top = point.y + 110 > height ? `${point.y - 96}px` : `${point.y + 18}px`;
  }

  listenToMinimap() {
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
}
