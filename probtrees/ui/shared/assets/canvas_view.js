// A picture on a canvas that can be zoomed, moved, fitted and shown on the whole screen.
// It knows nothing about what is drawn: a kind of picture extends it and says
//   extent()                  { width, height } of everything, in pixels at a scale of 1
//   paintScene(context, view) draws what lies in view = { left, top, right, bottom }
//   find(x, y)                what lies at a point of the picture: any object, or null
//   hint(found)               the words beside the pointer
//   clicked(found), doubleClicked(found)
//   startBox()                { left, top, width, height } to be in sight at first, or null
// and may say rescaled(x, y), grab(found): whether a drag that begins there draws a line, and
// drawn(from, to): what lies at its ends.

const MARGIN = 14;
const SMALLEST_SCALE = 0.02;
const LARGEST_SCALE = 3;
const LARGEST_ON_SCREEN = 2; // 14 pixels become 28: read from the last row
const LEGIBLE_SCALE = 0.75; // 14 pixels become 10.5: the smallest that can be read

// Words on as few lines as fit a width; a word that is wider has a line of its own.
function brokenLines(text, room, widthOf) {
  const lines = [];
  for (const word of text.split(" ")) {
    const joined = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && widthOf(joined) <= room) lines[lines.length - 1] = joined;
    else lines.push(word);
  }
  return lines;
}

class CanvasView {
  constructor(root) {
    this.root = root;
    this.canvas = root.querySelector(".picture");
    this.tip = root.querySelector(".tip");
    this.scale = 1;
    // A point of the picture is drawn at point * scale + offset.
    this.offset = { x: 0, y: 0 };
    this.listenToPointers();
    this.listenToScreen();
    new ResizeObserver(() => this.resized()).observe(this.canvas);
  }

  // What buttons with data-do="zoom-in" and so on do; `keyAction` names the same for keys.
  get actions() {
    return {
      "zoom-in": () => this.zoom(1.25),
      "zoom-out": () => this.zoom(0.8),
      fit: () => { this.fit(); this.draw(); },
      full: () => this.toggleFullScreen(),
    };
  }

  keyAction(key) {
    return { "+": "zoom-in", "=": "zoom-in", "-": "zoom-out", 0: "fit", x: "full" }[key];
  }

  // ---- place and scale ----------------------------------------------------------------------

// At least 1: before the page is laid out the canvas has no size, and 0 would divide.
  size() { return { width: this.canvas.clientWidth || 1, height: this.canvas.clientHeight || 1 }; }

  // On a screen of its own a picture is looked at from afar.
  get fillsScreen() { return document.fullscreenElement !== null || this.root.classList.contains("large"); }

  fittingScale(extent, largest = this.fillsScreen ? LARGEST_ON_SCREEN : 1.1) {
    const { width, height } = this.size();
    return Math.min((width - 2 * MARGIN) / extent.width, (height - 2 * MARGIN) / extent.height, largest);
  }

  fit(smallest = SMALLEST_SCALE) {
    const { width, height } = this.size(), extent = this.extent();
    this.scale = Math.max(this.fittingScale(extent), smallest);
    this.offset = {
      x: Math.max((width - extent.width * this.scale) / 2, MARGIN),
      y: Math.max((height - extent.height * this.scale) / 2, MARGIN),
    };
  }

  // Large enough to be read; where that is too large to fit, around the box to start with.
  placeAtStart(legible = LEGIBLE_SCALE) {
    this.fit(legible);
    const { width, height } = this.size(), extent = this.extent(), box = this.startBox();
    if (!box) return;
    if (extent.height * this.scale > height - 2 * MARGIN) {
      const lowest = height - MARGIN - extent.height * this.scale;
      const middle = (box.top + box.height / 2) * this.scale;
      this.offset.y = Math.min(MARGIN, Math.max(height / 2 - middle, lowest));
    }
    const end = (box.left + box.width) * this.scale + this.offset.x;
    if (end > width) this.offset.x -= end - width + MARGIN;
  }

// Moves only as far as needed, and only in the direction in which the box is out of sight.
  bringIntoView(box) {
    if (!box) return;
    const { width, height } = this.size();
    const left = box.left * this.scale + this.offset.x, top = box.top * this.scale + this.offset.y;
    const w = box.width * this.scale, h = box.height * this.scale;
    if (left < 0 || left + w > width) this.offset.x += width / 2 - left - w / 2;
    if (top < 0 || top + h > height) this.offset.y += height / 2 - top - h / 2;
  }

  // Moves as little as is needed to have all of a box in sight; its left and top edges first.
  moveIntoView(box) {
    const { width, height } = this.size();
    const move = (start, length, offset, room) => {
      const from = start * this.scale + offset, to = from + length * this.scale;
      if (from < MARGIN || length * this.scale > room - 2 * MARGIN) return offset + MARGIN - from;
      return to > room - MARGIN ? offset + room - MARGIN - to : offset;
    };
    this.offset.x = move(box.left, box.width, this.offset.x, width);
    this.offset.y = move(box.top, box.height, this.offset.y, height);
  }

  // Nobody loses a picture by zooming out: it never gets smaller than the whole of it needs.
  smallestScale() { return Math.max(Math.min(this.fittingScale(this.extent()), this.scale, LEGIBLE_SCALE), SMALLEST_SCALE); }

// The point under the pointer stays where it is.
  zoom(factor, x = this.size().width / 2, y = this.size().height / 2) {
    const scale = Math.min(Math.max(this.scale * factor, this.smallestScale()), LARGEST_SCALE);
    this.offset.x = x - (x - this.offset.x) * scale / this.scale;
    this.offset.y = y - (y - this.offset.y) * scale / this.scale;
    this.scale = scale;
    this.tip.hidden = true; // it belongs to what was there before
    this.rescaled(x, y);
    this.draw();
  }

  grab() { return false; }

  // A kind of picture may show more or less at another scale.
  rescaled() {}

  resized() {
    const { width } = this.size();
    // A phone's address bar changes the size a little all the time: that must not move the picture.
    if (this.extent() && Math.abs(width - (this.lastWidth ?? 0)) > 60) this.placeAtStart();
    this.lastWidth = width;
    this.draw();
  }

  // ---- the whole screen ---------------------------------------------------------------------

  toggleFullScreen() {
    if (document.fullscreenElement) { document.exitFullscreen(); return; }
    if (this.root.classList.contains("large")) { this.root.classList.remove("large"); return; }
// Phones that give a page no screen of its own still give it their window.
    const fill = () => this.root.classList.add("large");
    if (this.root.requestFullscreen) this.root.requestFullscreen().catch(fill); else fill();
  }

  listenToScreen() {
    this.root.addEventListener("fullscreenchange", () => {
      const button = this.root.querySelector('[data-do="full"]');
      button?.setAttribute("aria-pressed", document.fullscreenElement !== null);
    });
  }

  // ---- drawing ------------------------------------------------------------------------------

  draw() {
// Many events ask for a drawing; one per frame is enough.
    if (this.waitingToDraw) return;
    this.waitingToDraw = true;
    requestAnimationFrame(() => {
      this.waitingToDraw = false;
      if (this.extent() && this.canvas.clientWidth) this.drawScene();
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

  drawScene() {
    const context = this.context(this.canvas), { width, height } = this.size();
// A canvas does not inherit the font of the page.
    this.family = getComputedStyle(this.canvas).fontFamily;
    context.translate(this.offset.x, this.offset.y);
    context.scale(this.scale, this.scale);
    this.paintScene(context, {
      left: -this.offset.x / this.scale, top: -this.offset.y / this.scale,
      right: (width - this.offset.x) / this.scale, bottom: (height - this.offset.y) / this.scale,
    });
  }

  // ---- mouse and fingers --------------------------------------------------------------------

  point(event, canvas) {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  hit(point) {
    return this.find((point.x - this.offset.x) / this.scale, (point.y - this.offset.y) / this.scale);
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
// The wheel scrolls the page, as over everything else; a pinch on a touch pad comes as Ctrl and wheel.
    canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey && !this.fillsScreen) return;
      event.preventDefault();
      const { x, y } = this.point(event, canvas);
// Turning back by as much leads back to the same scale; mode 1 counts lines instead of pixels.
      this.zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.003)), x, y);
    }, { passive: false });
    canvas.addEventListener("pointerdown", (event) => {
// So that a drag goes on outside of the canvas and its end is not missed.
      canvas.setPointerCapture(event.pointerId);
      down.set(event.pointerId, this.point(event, canvas));
      if (down.size === 1) moved = 0;
      this.line = down.size === 1 && this.grab(this.hit(down.get(event.pointerId))) ? { from: down.get(event.pointerId) } : null;
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
      if (this.line) { this.tip.hidden = true; this.line.to = point; this.draw(); return; }
      this.offset.x += point.x - before.x;
      this.offset.y += point.y - before.y;
      this.draw();
    });
    const up = (event) => {
      const point = down.get(event.pointerId);
      down.delete(event.pointerId);
      const found = event.type === "pointerup" && point && moved <= 4 ? this.hit(point) : null;
      if (found) this.clicked(found);
      if (this.line?.to && event.type === "pointerup") this.drawn(this.hit(this.line.from), this.hit(this.line.to));
      if (this.line) { this.line = null; this.draw(); }
    };
    canvas.addEventListener("pointerup", up);
    canvas.addEventListener("pointercancel", up);
    canvas.addEventListener("pointerleave", () => { this.tip.hidden = true; });
    canvas.addEventListener("dblclick", (event) => {
      const found = this.hit(this.point(event, canvas));
      if (found) this.doubleClicked(found);
    });
  }

  hover(point) {
    const found = this.hit(point);
    this.canvas.classList.toggle("over", found !== null);
    this.tip.hidden = found === null;
    if (!found) return;
    this.tip.textContent = this.hint(found);
    const { width, height } = this.size();
    this.tip.style.left = `${Math.min(point.x + 14, Math.max(width - 260, 0))}px`;
    this.tip.style.top = point.y + 110 > height ? `${point.y - 96}px` : `${point.y + 18}px`;
  }
}
