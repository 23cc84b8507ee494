// The whole of a tree that is too large for cards: blocks that fill the frame. A level is a column,
// a block is the higher the more rows it has, and the end of a branch reaches the right edge. So
// thousands of leaves are in sight together, and those of many rows can be read.

const LEAST_LINE = 10.5; // pixels of a block that can still say something
const WIDE_LINE = 15.5;
const NARROWEST = 7; // pixels of a level that has no words
const WIDEST = 190;
const BLOCK_PAD = 4;
const THIN = 0.8; // pixels; what lies below a thinner block is drawn as one

class TreeBlocks {
  constructor(state, layout) {
    this.state = state;
    this.layout = layout;
    this.painted = [];
  }

  // Heights: where every end can have a line it has one, and the rest is dealt out by rows.
  layOut({ width, height }, family, type) {
    const { state, layout } = this, { rows } = state.data;
    const seen = state.visible(), order = seen.map(([node]) => node), depth = new Map(seen);
    const ends = order.filter((node) => !layout.isOpen(node));
    const total = ends.reduce((sum, node) => sum + rows[node], 0);
    const line = LEAST_LINE * type;
    const least = !(total > 0) ? height / ends.length : ends.length * line <= height ? line : 0;
    const each = total > 0 ? (height - least * ends.length) / total : 0;
    const x = new Map(), y = new Map(), widths = new Map(), heights = new Map();
    let bottom = 0;
    for (const node of ends) {
      y.set(node, bottom);
      heights.set(node, least + rows[node] * each);
      bottom += heights.get(node);
    }
    for (let k = order.length - 1; k >= 0; k--) {
      if (y.has(order[k])) continue;
      const children = state.children(order[k]), last = children[children.length - 1];
      y.set(order[k], y.get(children[0]));
      heights.set(order[k], y.get(last) + heights.get(last) - y.get(children[0]));
    }
    const lefts = this.levels(order, depth, heights, width, family, type);
    for (const node of order) {
      const level = depth.get(node);
      x.set(node, lefts[level]);
      widths.set(node, (layout.isOpen(node) ? lefts[level + 1] : width) - lefts[level]);
    }
    return { detail: LINE, isBlocks: true, type, x, y, width: widths, height: heights, order, extent: { width, height } };
  }

  // Where every level begins: as wide as its words, the first ones first; what is left goes to the
  // levels that are narrow for the rows that come so far.
  levels(order, depth, heights, width, family, type) {
    const wants = [], rows = [], size = 12 * type, { data } = this.state;
    const wide = (text, weight) => this.layout.textWidth(text, size, weight, family);
    for (const node of order) {
      const level = depth.get(node);
      wants[level] ??= 0;
      rows[level] = (rows[level] ?? 0) + data.rows[node];
      if (heights.get(node) < LEAST_LINE * type) continue;
      const words = [wide(this.layout.condition(node), 600) + wide(`  ${this.layout.chance(node)}`, 400)];
      if (this.layout.isOpen(node)) words.push(wide(this.layout.question(node), 400));
      wants[level] = Math.max(wants[level], Math.min(Math.max(...words) + 2 * BLOCK_PAD + 2, WIDEST * type));
    }
    const narrowest = Math.min(NARROWEST, 0.5 * width / wants.length);
    let left = width - narrowest * wants.length;
    const least = wants.map((want) => {
      const more = Math.min(Math.max(want - narrowest, 0), left);
      left -= more;
      return narrowest + more;
    });
    const part = rows.map((n) => Math.sqrt(n / (rows[0] || 1)) || 0.1);
    const widths = (fill) => least.map((narrow, level) => Math.max(narrow, fill * part[level]));
    let low = 0, high = 20 * width;
    for (let k = 0; k < 40; k++) {
      const middle = (low + high) / 2;
      if (widths(middle).reduce((sum, one) => sum + one, 0) > width) high = middle; else low = middle;
    }
    const lefts = [0];
    for (const one of widths(low)) lefts.push(lefts[lefts.length - 1] + one);
    return lefts;
  }

  draw(context, place, view, scale, family, lit) {
    this.painted = this.inSight(place, view, scale);
    const { data } = this.state, line = 1 / scale;
    for (const { node, left, top, width, height } of this.painted) {
// Whole pixels: between blocks that end within one the page would shine through.
      const from = Math.round((top - view.top) * scale), to = Math.round((top + height - view.top) * scale);
// A seam between blocks, where there is room for one.
      const seam = to - from > 4 ? 1 : 0;
      context.fillStyle = data.fill[node];
      context.fillRect(left, view.top + from * line, width - line, (to - from - seam) * line);
    }
    for (const block of this.painted) this.writeBlock(context, block, view, scale, family, place.type);
    this.drawFrames(context, place, scale, lit);
    this.drawTags(context, place, view, scale, family);
  }

  // The blocks in view; one that is too thin stands for all that lies below it.
  inSight(place, view, scale) {
    const { state } = this, folded = new Set(), painted = [];
    for (const node of place.order) {
      if (folded.has(state.data.parent[node]) && node !== state.top) { folded.add(node); continue; }
      const left = place.x.get(node), top = place.y.get(node), height = place.height.get(node);
      const isThin = height * scale < THIN;
      if (isThin) folded.add(node);
      if (top > view.bottom || top + height < view.top || left > view.right) continue;
      painted.push({ node, left, top, height, width: isThin ? place.extent.width - left : place.width.get(node) });
    }
    return painted;
  }

  // Condition and chance, then what it splits on, then its counts, as far as there is room.
  writeBlock(context, block, view, scale, family, type) {
    const top = Math.max(block.top, view.top), bottom = Math.min(block.top + block.height, view.bottom);
    const height = (bottom - top) * scale, room = block.width * scale - 2 * BLOCK_PAD;
    if (height < LEAST_LINE * type || room < 12) return;
    const line = Math.min(Math.max(height, LEAST_LINE * type), WIDE_LINE * type), size = Math.min(line * 0.85, 12 * type);
    const lines = this.lines(block.node, Math.floor(height / line), room, size, family);
    const left = Math.max(block.left, view.left) + BLOCK_PAD / scale;
    lines.forEach((words, k) => {
      const y = (top + bottom) / 2 + (k - (lines.length - 1) / 2) * line / scale;
      let x = left;
      for (const [text, weight] of words) {
        this.write(context, text, x, y, size / scale, weight, family);
        x += this.layout.textWidth(text, size, weight, family) / scale;
      }
    });
  }

  lines(node, most, room, size, family) {
    const { layout, state } = this;
    const fits = (words) => words.reduce((sum, [text, weight]) => sum + layout.textWidth(text, size, weight, family), 0) <= room;
    const condition = [layout.condition(node), 600], chance = layout.chance(node), counts = countsText(state.data, node, false);
    const further = layout.isOpen(node) ? [[[layout.question(node), 400]], [[counts, 400]]] : [[[counts, 400]]];
    const first = [condition, [`  ${chance}`, 400]];
    if (fits(first)) return [first, ...further.filter(fits)].slice(0, most);
// A condition is never shortened: it takes several lines, or is left out.
    const parts = brokenLines(condition[0], room, (text) => layout.textWidth(text, size, 600, family));
    if (parts.length > most || !parts.every((text) => fits([[text, 600]]))) return [];
    return [...parts.map((text) => [[text, 600]]), ...[[[chance, 400]], ...further].filter(fits)].slice(0, most);
  }

  write(context, text, x, y, size, weight, family) {
    context.textBaseline = "middle";
    context.textAlign = "left";
    context.fillStyle = this.state.data.paint.text;
    context.font = `${weight} ${size}px ${family}`;
    context.fillText(text, x, y);
  }

  // What is found, marked, lit or selected has a frame, however thin it is.
  drawFrames(context, place, scale, lit) {
    const { state } = this, { paint } = state.data;
    const frame = (node, colour, wide, dashes = []) => {
      if (!place.x.has(node)) return;
      const inset = wide / 2 / scale, height = Math.max(place.height.get(node) - 2 * inset, 1.5 / scale);
      context.lineWidth = wide / scale;
      context.strokeStyle = colour;
      context.setLineDash(dashes.map((dash) => dash / scale));
      context.strokeRect(place.x.get(node) + inset, place.y.get(node) + inset, place.width.get(node) - 2 * inset - 1 / scale, height);
      context.setLineDash([]);
    };
    for (const node of state.matches) frame(node, paint.accent, 1.5, [5, 3]);
    if (state.marked.size) for (const node of place.order) {
      const mark = state.markOf(node);
      if (mark) frame(node, paint.mark, 2, mark === "hidden" ? [5, 4] : []);
    }
// While rows are followed their ways are what is lit.
    const { followed, pinned } = state.data, ends = followed.length ? followed : [state.selected];
    for (const node of lit) if (!ends.includes(node)) frame(node, paint.accent, 1.5);
    for (const node of [...pinned, ...ends]) frame(node, paint.accent, 3);
  }

  // What the selected block would say if it were higher, and where followed rows end.
  drawTags(context, place, view, scale, family) {
    const { state } = this, { data } = state;
    const ends = data.followed.length ? [...new Set(data.followed)] : [state.selected];
    let lowest = -Infinity;
    for (const node of ends.filter((end) => place.x.has(end)).sort((a, b) => place.y.get(a) - place.y.get(b))) {
      const letter = state.lettersOf(node);
      const isRead = this.painted.some((block) => block.node === node && block.height * scale >= WIDE_LINE * place.type);
      if (isRead && !letter) continue;
      const text = `${letter ? `${letter}: ` : ""}${shortTitle(data, node, LONGEST_NAME)} · ${this.layout.numbers(node)}`;
      lowest = this.drawTag(context, text, place, node, view, scale, family, lowest);
    }
  }

  // Returns where the tag ends: the next one stands below it.
  drawTag(context, text, place, node, view, scale, family, lowest) {
    const { paint } = this.state.data, size = 12 * place.type, high = (size + 9) / scale;
    const width = (this.layout.textWidth(text, size, 600, family) + 14) / scale;
    const middle = place.y.get(node) + place.height.get(node) / 2;
    const top = Math.max(Math.min(Math.max(middle - high / 2, view.top), view.bottom - high), lowest);
    const left = Math.max(view.right - width - 8 / scale, view.left);
    context.beginPath();
    context.roundRect(left, top, width, high, 5 / scale);
    context.fillStyle = paint.page;
    context.fill();
    context.lineWidth = 2 / scale;
    context.strokeStyle = paint.accent;
    context.stroke();
    this.write(context, text, left + 7 / scale, top + high / 2, size / scale, 600, family);
    return top + high + 3 / scale;
  }

  find(px, py) {
    const found = this.painted.find(({ left, top, width, height }) => px >= left && px < left + width && py >= top && py < top + height);
    return found ? { node: found.node, toggle: false } : null;
  }
}
