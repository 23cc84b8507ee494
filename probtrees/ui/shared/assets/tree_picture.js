// The picture of a tree: shows more or less on its cards as one zooms, and draws what is in view.
// Where the cards of a tree cannot be read together they become blocks.

const LARGE_SCALE = 1.35; // beyond it the next kind of card fits in
const WELL_LEGIBLE = [LEGIBLE_SCALE, LEGIBLE_SCALE, LEGIBLE_SCALE, 0.8, 0.92]; // smaller cards that are larger are read more easily
const FEW_NODES = 40; // their numbers are worth more than having all of them in sight
const MANY_NODES = 2000; // too many to lay out for larger cards
const LARGEST_BLOCKS = 2.4; // beyond it blocks become cards

class TreePicture extends CanvasView {
  constructor(state, root, handlers) {
    super(root);
    this.state = state;
    this.handlers = handlers;
    this.layout = new TreeLayout(state);
    this.cards = new TreeCards(state, this.layout);
    this.blocks = new TreeBlocks(state, this.layout);
    this.detail = FULL;
    this.drawn = [];
    this.canvas.setAttribute("aria-label", "Tree picture. Arrow keys move, Enter opens or closes a node, plus and minus "
      + "zoom, X fills the screen. The Outline button shows the same as a list.");
  }

  extent() { return this.place?.extent; }

  layOut(detail = this.detail) {
    this.detail = detail;
    this.family = getComputedStyle(this.canvas).fontFamily;
    this.place = this.isBlocks ? this.blocks.layOut(this.frame(), this.family, this.fillsScreen ? 1.35 : 1)
      : this.layout.layOut(detail, this.family);
  }

  frame() {
    const { width, height } = this.size();
    return { width: Math.max(width - 2 * MARGIN, 1), height: Math.max(height - 2 * MARGIN, 1) };
  }

  box(node) {
    const { x, y, width, height } = this.place;
    if (!x.has(node)) return null;
    return { left: x.get(node), top: y.get(node), width: width.get(node) + 24, height: height.get(node) };
  }

  startBox() { return this.box(this.state.top); }
  show(node) { this.bringIntoView(this.box(node)); }

// As much on the cards as fits and can be read; what is too deep for the width becomes a list, and
// what is too large blocks.
  fit(smallest) {
    this.isBlocks = false;
    this.layout.isList = false;
    this.layout.extra = 0;
    const isRead = this.wanted !== "blocks" && [FULL, BRIEF, NUMBER, STACKED, LINE].some((detail) => this.canRead(detail));
    if (isRead) this.useHeight();
    else if (this.wanted === "blocks" || !this.fitsAsList() && !(this.isStarting && this.sayMore())) this.becomeBlocks();
    super.fit(this.wanted === "cards" ? Math.max(smallest ?? 0, smallestRead(this.place)) : smallest);
  }

  canRead(detail) {
    if (!this.layout.mayFit(detail, WELL_LEGIBLE[detail], this.size().height)) return false;
    this.layOut(detail);
    return this.fittingScale(this.place.extent) >= WELL_LEGIBLE[detail];
  }

  // Where the width decides about the scale, cards stand farther apart.
  useHeight() {
    const { extent } = this.place, { groups } = this.state.shownGroups();
    const room = this.frame().height / this.fittingScale(extent) - extent.height;
    this.layout.extra = groups > 1 ? Math.min(Math.max(room / (groups - 1), 0), CARDS[this.detail].leaf) : 0;
    this.layOut(this.detail);
  }

  fitsAsList() {
    if (!this.layout.mayFit(LINE, SMALLEST_LIST, this.size().height)) return false;
    this.layout.isList = true;
    this.layOut(LINE);
    if (this.fittingScale(this.place.extent) >= SMALLEST_LIST) return true;
    this.layout.isList = false;
    return false;
  }

  // Few groups always have their numbers, though not all of them may be in sight.
  sayMore() {
    if (this.state.visible().length > FEW_NODES) return false;
    this.layOut(BRIEF);
    return true;
  }

  // Who wants cards gets small ones, not all of them in sight.
  becomeBlocks() {
    this.isBlocks = this.wanted !== "cards";
    this.layout.isList = false;
    this.layOut(this.isBlocks ? LINE : NUMBER);
    this.handlers.reshaped();
  }

  placeAtStart() {
    this.isStarting = true;
    super.placeAtStart();
    this.isStarting = false;
  }

  // Puts whole ways from the root into sight: as they are if they are, else with smaller cards,
  // else among blocks.
  showWays(nodes) {
    if (this.isBlocks) { this.fit(); return; }
    const whole = () => {
      const boxes = [...nodes].map((node) => this.box(node)).filter(Boolean);
      const left = Math.min(...boxes.map((box) => box.left)), top = Math.min(...boxes.map((box) => box.top));
      const right = Math.max(...boxes.map((box) => box.left + box.width));
      const bottom = Math.max(...boxes.map((box) => box.top + box.height));
      return { left, top, width: right - left, height: bottom - top };
    };
    let box = whole(), scale = Math.min(this.scale, this.fittingScale(box, LARGEST_SCALE));
    while (scale < LEGIBLE_SCALE && this.detail > LINE) {
      this.layout.extra = 0;
      this.layOut(this.detail - 1);
      box = whole();
      scale = Math.min(LEGIBLE_SCALE * 1.1, this.fittingScale(box, LARGEST_SCALE));
    }
    if (scale < LEGIBLE_SCALE) { this.showAsBlocks(); return; }
    this.scale = scale;
    this.moveIntoView(box);
  }

  showAsBlocks() {
    this.becomeBlocks();
    super.fit();
  }

  rescaled(x, y) {
    const { detail, scale } = this;
    if (this.isBlocks) {
      if (scale > LARGEST_BLOCKS && !this.wanted) this.changeDetail(this.place.order.length > MANY_NODES ? NUMBER : BRIEF, 0.9, x, y);
      else if (scale < 1) this.showAsBlocks();
    } else if (this.layout.isList && scale > LARGE_SCALE) this.changeDetail(BRIEF, 0.9, x, y);
    else if (detail > NUMBER && scale < LEGIBLE_SCALE) this.changeDetail(detail - 1, 0.95, x, y);
    else if (scale < smallestRead(this.place)) this.seeAll();
    else if (detail < FULL && scale > LARGE_SCALE) this.changeDetail(Math.max(detail + 1, BRIEF), 0.9, x, y);
  }

  // Zooming out ends where the cards can be read no more: with all of them in sight, or as blocks.
  seeAll() {
    if (!this.wanted && this.fittingScale(this.place.extent) < smallestRead(this.place)) { this.showAsBlocks(); return; }
    const { width, height } = this.size(), { extent } = this.place;
    this.scale = smallestRead(this.place);
    this.offset = { x: (width - extent.width * this.scale) / 2, y: (height - extent.height * this.scale) / 2 };
  }

  // Blocks fill the frame, whatever its size.
  resized() {
    if (this.isBlocks) this.showAsBlocks();
    super.resized();
  }

  // Shows other cards; the node nearest to a point stays where it is on the screen.
  changeDetail(detail, scale, x, y) {
    const px = (x - this.offset.x) / this.scale, py = (y - this.offset.y) / this.scale;
    const node = this.blocks.painted.length && this.isBlocks ? this.blocks.find(px, py)?.node ?? this.state.top : this.nearest(px, py);
    const before = this.place;
    const at = (place) => ({ x: place.x.get(node), y: place.y.get(node) + place.height.get(node) / 2 });
    const old = at(before);
// A block may be as high as the frame: its card comes to the pointer.
    const screen = this.isBlocks ? { x: x - 40, y } : { x: old.x * this.scale + this.offset.x, y: old.y * this.scale + this.offset.y };
    this.isBlocks = false;
    this.layout.isList = false;
    this.layout.extra = 0;
    this.layOut(detail);
    this.handlers.reshaped();
    this.scale = scale;
    const now = at(this.place);
    this.offset = { x: screen.x - now.x * scale, y: screen.y - now.y * scale };
  }

  nearest(px, py) {
    const { order, x, y, width, height } = this.place;
    let best = order[0], least = Infinity;
    for (const node of order) {
      const far = Math.hypot(x.get(node) + width.get(node) / 2 - px, y.get(node) + height.get(node) / 2 - py);
      if (far < least) { best = node; least = far; }
    }
    return best;
  }

  // Lays out again while one node stays where it is on the screen.
  layOutAround(node) {
    const middle = () => this.place.y.has(node) ? this.place.y.get(node) + this.place.height.get(node) / 2 : undefined;
    const before = middle();
    this.layOut();
    const now = middle();
    if (!this.isBlocks && before !== undefined && now !== undefined) this.offset.y += (before - now) * this.scale;
    this.draw();
  }

  paintScene(context, view) {
    const { state, place } = this;
    const onPath = state.litPath();
    if (this.isBlocks) {
      this.blocks.draw(context, place, view, this.scale, this.family, onPath);
      this.drawn = this.blocks.painted.map((block) => block.node);
      return;
    }
// Edges first, so that cards lie on top of them. `drawn` is what a click can hit.
    for (const node of place.order) {
      if (node !== state.top) this.cards.drawEdge(context, place, view, node, onPath.has(node));
    }
    this.drawn = place.order.filter((node) => {
      const left = place.x.get(node), top = place.y.get(node);
      return left < view.right && left + place.width.get(node) + 40 > view.left
        && top < view.bottom && top + place.height.get(node) > view.top;
    });
    for (const node of this.drawn) this.cards.drawCard(context, place, node, this.scale, this.family);
  }

  find(px, py) {
    if (this.isBlocks) return this.blocks.find(px, py);
    for (const node of this.drawn) {
      const left = this.place.x.get(node), top = this.place.y.get(node), width = this.place.width.get(node);
      if (py < top || py > top + this.place.height.get(node) || px < left) continue;
      const canToggle = !this.state.isLeaf(node) && this.scale >= smallestRead(this.place);
// The button hangs over the right edge of its card and is wider than it looks, for fingers.
      if (canToggle && px >= left + width - 6 && px <= left + width + 34) return { node, toggle: true };
      if (px <= left + width) return { node, toggle: false };
    }
    return null;
  }

  hint(found) { return describe(this.state.data, found.node); }
  clicked(found) { this.handlers[found.toggle ? "toggle" : "select"](found.node); }
  doubleClicked(found) { if (!found.toggle) this.handlers.focus(found.node); }
}
