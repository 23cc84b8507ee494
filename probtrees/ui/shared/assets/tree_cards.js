// Draws the cards of a tree and the edges between them.

class TreeCards {
  constructor(state, layout) {
    this.state = state;
    this.layout = layout;
  }

  drawEdge(context, place, view, node, marked) {
    const { data } = this.state, { x, y, width, height } = place;
    const parent = data.parent[node];
    const x0 = x.get(parent) + width.get(parent), y0 = y.get(parent) + height.get(parent) / 2;
    const x1 = x.get(node), y1 = y.get(node) + height.get(node) / 2;
// An edge may cross the view though both of its cards are outside.
    if (Math.max(y0, y1) < view.top || Math.min(y0, y1) > view.bottom || Math.min(x0, x1) > view.right || Math.max(x0, x1) < view.left) return;
    const share = Math.max(data.rows[node] / (data.rows[0] || 1), 0), bend = (x1 - x0) / 2;
    context.beginPath();
    if (place.isList) {
      const stem = x.get(parent) + INDENT / 2;
      context.moveTo(stem, y.get(parent) + height.get(parent));
      context.lineTo(stem, y1);
      context.lineTo(x1, y1);
    } else {
      context.moveTo(x0, y0);
      context.bezierCurveTo(x0 + bend, y0, x1 - bend, y1, x1, y1);
    }
// By the square root: else all edges but the first few would be hairlines.
    context.lineWidth = 1 + (place.isList ? 5 : 13) * Math.sqrt(share);
    context.strokeStyle = marked ? data.paint.accent : data.paint.line;
    context.globalAlpha = marked ? 0.85 : 0.45;
    context.setLineDash(share > 0 ? [] : [5, 5]);
    context.stroke();
    context.setLineDash([]);
    context.globalAlpha = 1;
  }

  drawCard(context, place, node, scale, family) {
    const { state } = this, { paint, fill } = state.data;
    const left = place.x.get(node), top = place.y.get(node);
    const width = place.width.get(node), height = place.height.get(node);
// While rows are followed their ends are what is selected.
    const { followed } = state.data, chosen = followed.length ? followed.includes(node) : node === state.selected;
    const found = state.isMatch.has(node), leaf = state.isLeaf(node);
    context.beginPath();
    context.roundRect(left, top, width, height, 6);
    context.fillStyle = fill[node];
    context.fill();
    context.lineWidth = chosen ? 3.5 : found ? 2.5 : leaf ? 1.4 : 1;
    context.strokeStyle = chosen || found ? paint.accent : leaf ? paint.faint : paint.line;
    if (found && !chosen) context.setLineDash([6, 3]);
    context.stroke();
    context.setLineDash([]);
    const mark = state.markOf(node);
    if (mark) this.drawMark(context, place, node, mark, scale);
    if (state.data.pinned.includes(node)) this.drawPin(context, left, top);
    const letter = state.lettersOf(node);
    if (letter) this.drawLetter(context, letter, left, top + height, scale, family);
    if (scale < smallestRead(place)) return;
    const box = { left: left + CARDS[place.detail].pad, top, width: width - 2 * CARDS[place.detail].pad, height };
    const kinds = [place.isList ? this.drawListed : this.drawLine, this.drawStacked, this.drawNumber, this.drawBrief, this.drawFull];
    kinds[place.detail].call(this, context, node, box, family);
    if (leaf && state.data.acted) this.drawPill(context, decisionText(state.data, node), left + width - 4, top + height / 2, family, fill[node]);
    if (!leaf) this.drawToggle(context, node, left + width - 4, top + height / 2, family);
  }

  // A second frame around the splits on the column that was chosen; dashed where they are hidden.
  drawMark(context, place, node, mark, scale) {
    const gap = 4 / Math.min(scale, 1);
    context.beginPath();
    context.roundRect(place.x.get(node) - gap, place.y.get(node) - gap, place.width.get(node) + 2 * gap, place.height.get(node) + 2 * gap, 8);
    context.setLineDash(mark === "hidden" ? [5, 4] : []);
    context.lineWidth = 2.5 / Math.min(scale, 1);
    context.strokeStyle = this.state.data.paint.mark;
    context.stroke();
    context.setLineDash([]);
  }

  // Where one of two followed rows ends, or both.
  drawLetter(context, letter, left, bottom, scale, family) {
    const { paint } = this.state.data, radius = 9 / Math.min(scale, 1), wide = radius * (letter.length > 1 ? 2.9 : 1);
    context.beginPath();
    context.roundRect(left - radius, bottom - radius, radius + wide, 2 * radius, radius);
    context.fillStyle = paint.accent;
    context.fill();
    context.textBaseline = "middle";
    context.textAlign = "center";
    context.fillStyle = paint.page;
    context.font = `700 ${1.3 * radius}px ${family}`;
    context.fillText(letter, left + (wide - radius) / 2, bottom);
  }

  drawPin(context, left, top) {
    const { paint } = this.state.data;
    context.beginPath();
    context.arc(left + 2, top + 2, 6, 0, 2 * Math.PI);
    context.fillStyle = paint.accent;
    context.fill();
    context.lineWidth = 1.5;
    context.strokeStyle = paint.page;
    context.stroke();
  }

  write(context, text, x, y, family, { size = FONT, weight = 600, align = "left" } = {}) {
    context.textBaseline = "middle";
    context.textAlign = align;
    context.fillStyle = this.state.data.paint.text;
    context.font = `${weight} ${size}px ${family}`;
    context.fillText(text, x, y);
  }

  drawSplit(context, node, box, y, family) {
    if (this.layout.isOpen(node)) {
      this.write(context, this.layout.question(node), box.left, y, family, { size: SMALL, weight: 400 });
    }
  }

  drawLine(context, node, box, family) {
    const y = box.top + 9.5;
    this.write(context, this.layout.condition(node), box.left, y, family);
    this.drawSplit(context, node, box, y + 15, family);
  }

  drawStacked(context, node, box, family) {
    const y = box.top + 9;
    this.write(context, this.layout.condition(node), box.left, y, family);
    this.write(context, this.layout.chance(node), box.left, y + 14, family, { size: SMALL, weight: 600 });
    this.drawSplit(context, node, box, y + 28.5, family);
  }

  drawNumber(context, node, box, family) {
    this.drawLine(context, node, box, family);
    this.write(context, this.layout.chance(node), box.left + box.width - 4, box.top + 9.5, family, { size: SMALL, weight: 600, align: "right" });
  }

  drawListed(context, node, box, family) {
    const y = box.top + 9.5;
    this.write(context, this.layout.lineTitle(node), box.left, y, family);
    this.write(context, this.layout.numbers(node), box.left + box.width - 6, y, family, { size: SMALL, weight: 400, align: "right" });
  }

  drawBrief(context, node, box, family) {
    const { data } = this.state;
    this.write(context, this.layout.condition(node), box.left, box.top + 13, family);
    this.write(context, this.layout.chance(node), box.left + box.width, box.top + 13, family, { align: "right" });
    if (this.layout.isOpen(node)) this.drawSplit(context, node, box, box.top + 29, family);
    else this.write(context, countsText(data, node, false), box.left, box.top + 29, family, { size: SMALL, weight: 400 });
  }

  drawFull(context, node, box, family) {
    const { data } = this.state;
    this.write(context, this.layout.condition(node), box.left, box.top + 15, family);
    this.write(context, countsText(data, node), box.left, box.top + 33, family, { size: SMALL, weight: 400 });
    const text = this.layout.chance(node);
    this.write(context, text, box.left + box.width, box.top + 52, family, { weight: 700, align: "right" });
// All bars end at the same place, unless a number is very long.
    const barWidth = box.width - Math.max(context.measureText(text).width, 46) - 8;
    this.drawBar(context, node, box.left, box.top + 47, barWidth, 10);
    if (data.other && !this.layout.isOpen(node)) {
      // A tick where the second smoother's probability lies.
      context.fillStyle = data.paint.text;
      context.fillRect(box.left + barWidth * data.other[node] - 1.5, box.top + 44, 3, 16);
    }
    this.drawSplit(context, node, box, box.top + 71, family);
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

  drawToggle(context, node, left, middle, family) {
    const { data, open } = this.state;
    this.drawPill(context, open.has(node) ? "–" : `+${count(data.below[node])}`, left, middle, family, data.paint.page);
    // How many inner trees have the split, where its edges begin.
    if (open.has(node) && data.again?.[node]) this.write(context, data.again[node], left + 8, middle + 17, family, { size: 11, weight: 400 });
  }

  drawPill(context, text, left, middle, family, fill) {
    const { data } = this.state;
    const width = Math.max(this.layout.textWidth(text, FONT - 1, 600, family) + 10, 20);
    context.beginPath();
    context.roundRect(left, middle - 9, width, 18, 9);
    context.fillStyle = fill;
    context.fill();
    context.lineWidth = 1;
    context.strokeStyle = data.paint.faint;
    context.stroke();
    this.write(context, text, left + width / 2, middle + 1, family, { size: FONT - 1, align: "center" });
  }
}

const SMALLEST_LIST = 0.6; // a list is all text and is read longer

// The scale below which the texts on cards are too small.
function smallestRead(place) { return place.isList ? SMALLEST_LIST : LEGIBLE_SCALE * 0.97; }
