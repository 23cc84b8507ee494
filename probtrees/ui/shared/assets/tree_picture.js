// The picture of a tree: shows more or less on its cards as one zooms, and draws what is in view.

const LARGE_SCALE = 1.35; // beyond it the next kind of card fits in
const WELL_LEGIBLE = [LEGIBLE_SCALE, 0.8, 0.92]; // smaller cards that are larger are read more easily
const FEW_NODES = 40; // their numbers are worth more than having all of them in sight
const MOST_ON_MAP = 5000;
const MANY_NODES = 2000; // laid out once only, with the smallest cards
const FAR_SCALE = 0.3; // below it cards are patches of colour, and edges lines
const MAP_FROM = 60; // open nodes; fewer can be overlooked without a map

class TreePicture extends CanvasView {
  constructor(state, root, handlers) {
    super(root);
    this.state = state;
    this.handlers = handlers;
    this.layout = new TreeLayout(state);
    this.cards = new TreeCards(state, this.layout);
    this.detail = FULL;
    this.drawn = [];
    this.canvas.setAttribute("aria-label", "Tree picture. Arrow keys move, Enter opens or closes a node, plus and minus "
      + "zoom, X fills the screen. The Outline button shows the same as a list.");
  }

  extent() { return this.place?.extent; }
  accent() { return this.state.data.paint.accent; }
  hasMap() { return this.place.order.length > MAP_FROM; }

  layOut(detail = this.detail) {
    this.detail = detail;
    this.family = getComputedStyle(this.canvas).fontFamily;
    this.place = this.layout.layOut(detail, this.family);
  }

  box(node) {
    const { x, y, width, height } = this.place;
    if (!x.has(node)) return null;
    return { left: x.get(node), top: y.get(node), width: width.get(node) + 24, height: height.get(node) };
  }

  startBox() { return this.box(this.state.top); }
  show(node) { this.bringIntoView(this.box(node)); }

// As much on the cards as fits and can be read; what is too deep for the width becomes a list.
  fit(smallest) {
    this.layout.isList = false;
    for (const detail of [FULL, BRIEF, LINE]) {
      if (detail > LINE && !this.layout.mayFit(detail, WELL_LEGIBLE[detail], this.size().height)) continue;
      this.layOut(detail);
      if (this.fittingScale(this.place.extent) >= WELL_LEGIBLE[detail]) break;
    }
    if (this.isStarting && this.detail === LINE) this.sayMore();
    else if (this.detail === LINE && this.place.order.length <= MANY_NODES) this.tryList();
    super.fit(smallest);
  }

  tryList() {
    const scale = this.fittingScale(this.place.extent);
    if (scale >= WELL_LEGIBLE[LINE]) return;
    this.layout.isList = true;
    this.layOut();
    if (this.fittingScale(this.place.extent) > scale) return;
    this.layout.isList = false;
    this.layOut();
  }

  placeAtStart() {
    this.isStarting = true;
    super.placeAtStart();
    this.isStarting = false;
  }

  // Where not everything fits, the cards that say something are better than those that say little;
  // few groups always have their numbers.
  sayMore() {
    const fits = this.fittingScale(this.place.extent) >= LEGIBLE_SCALE, n = this.place.order.length;
    if (n <= FEW_NODES || (!fits && n <= MANY_NODES)) this.layOut(BRIEF);
  }

  // Puts whole ways from the root into sight: as they are if they are, else with smaller cards,
  // else at a smaller scale, where their conditions are still written.
  showWays(nodes) {
    const whole = () => {
      const boxes = [...nodes].map((node) => this.box(node)).filter(Boolean);
      const left = Math.min(...boxes.map((box) => box.left)), top = Math.min(...boxes.map((box) => box.top));
      const right = Math.max(...boxes.map((box) => box.left + box.width));
      const bottom = Math.max(...boxes.map((box) => box.top + box.height));
      return { left, top, width: right - left, height: bottom - top };
    };
    let box = whole(), scale = Math.min(this.scale, this.fittingScale(box, LARGEST_SCALE));
    while (scale < LEGIBLE_SCALE && this.detail > LINE) {
      this.layOut(this.detail - 1);
      box = whole();
      scale = Math.min(LEGIBLE_SCALE * 1.1, this.fittingScale(box, LARGEST_SCALE));
    }
    this.scale = Math.max(scale, SMALLEST_SCALE);
    this.moveIntoView(box);
  }

  rescaled(x, y) {
    const { detail, scale } = this;
    if (this.layout.isList && scale > LARGE_SCALE) this.changeDetail(BRIEF, 0.9, x, y);
    else if (detail > LINE && scale < LEGIBLE_SCALE) this.changeDetail(detail - 1, 0.95, x, y);
    else if (detail < FULL && scale > LARGE_SCALE) this.changeDetail(detail + 1, 0.9, x, y);
  }

  // Shows other cards; the node nearest to a point stays where it is on the screen.
  changeDetail(detail, scale, x, y) {
    const node = this.nearest((x - this.offset.x) / this.scale, (y - this.offset.y) / this.scale);
    const before = this.place;
    const at = (place) => ({ x: place.x.get(node), y: place.y.get(node) + place.height.get(node) / 2 });
    this.layout.isList = false;
    const old = at(before), screen = { x: old.x * this.scale + this.offset.x, y: old.y * this.scale + this.offset.y };
    this.layOut(detail);
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
    if (before !== undefined && now !== undefined) this.offset.y += (before - now) * this.scale;
    this.draw();
  }

  paintScene(context, view) {
    const { state, place } = this;
    const onPath = state.litPath();
// Edges first, so that cards lie on top of them. `drawn` is what a click can hit.
    const isFar = this.scale < FAR_SCALE;
    if (isFar) this.cards.drawFarEdges(context, place, view, onPath);
    else for (const node of place.order) {
      if (node !== state.top) this.cards.drawEdge(context, place, view, node, onPath.has(node));
    }
    this.drawn = place.order.filter((node) => {
      const left = place.x.get(node), top = place.y.get(node);
      return left < view.right && left + place.width.get(node) + 40 > view.left
        && top < view.bottom && top + place.height.get(node) > view.top;
    });
    if (isFar) this.cards.drawFarCards(context, place, this.drawn, this.scale);
    else for (const node of this.drawn) this.cards.drawCard(context, place, node, this.scale, this.family);
    if (this.scale < smallestRead(place)) this.cards.drawLargestConditions(context, place, this.drawn, this.scale, this.family, onPath, view);
  }

  mapKey() { return [this.place, this.state.selected, this.state.data.fill]; }

  mapBoxes() {
    const { data, selected } = this.state, { order, x, y, width, height } = this.place;
// The map has fewer pixels than a large tree has nodes: some of them show as much.
    const every = Math.ceil(order.length / MOST_ON_MAP);
    return order.filter((node, k) => k % every === 0 || node === selected).map((node) => [x.get(node), y.get(node), width.get(node), height.get(node),
      node === selected ? data.paint.accent : data.fill[node]]);
  }

  find(px, py) {
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
