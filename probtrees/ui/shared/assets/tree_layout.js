// Where the cards of the open part of a tree stand. Depth runs to the right. All sizes are in
// pixels at a scale of 1.

// How much a card says. Where the width is scarce percentages stand below conditions; where the
// height is too, they are dropped.
const LINE = 0, STACKED = 1, NUMBER = 2, BRIEF = 3, FULL = 4;
const CARDS = [
  { leaf: 17, split: 34, gapX: 34, gapY: 2, pad: 7, narrowest: 48 },
  { leaf: 31, split: 46, gapX: 34, gapY: 2, pad: 7, narrowest: 48 },
  { leaf: 17, split: 34, gapX: 30, gapY: 2, pad: 7, narrowest: 72 },
  { leaf: 40, split: 40, gapX: 36, gapY: 6, pad: 8, narrowest: 90 },
  { leaf: 66, split: 84, gapX: 46, gapY: 10, pad: 8, narrowest: 150 },
];
const INDENT = 26; // of a list, where a level begins
const FONT = 14;
const SMALL = 12.5;
const LONGEST_NAME = 28; // letters of a column's name
const LONGEST_VALUE = 120; // letters of a value; only what nobody could read is longer

class TreeLayout {
  constructor(state) {
    this.state = state;
    this.letters = new Map();
    this.extra = 0; // between cards, where they would leave the frame empty
    this.isList = false; // one card below the other, for trees too deep for the width of the screen
    this.pencil = document.createElement("canvas").getContext("2d");
  }

  // The widths of letters add up: measuring every text would take seconds where there are ten
  // thousands of them. Pairs that are drawn closer together make a text no wider.
  textWidth(text, size, weight, family) {
    if (family !== this.measured) { this.letters.clear(); this.measured = family; }
    const kind = size * 1000 + weight;
    let letters = this.letters.get(kind), width = 0;
    if (!letters) this.letters.set(kind, letters = new Map());
    for (const letter of text) {
      let wide = letters.get(letter);
      if (wide === undefined) {
        this.pencil.font = `${weight} ${size}px ${family}`;
        wide = this.pencil.measureText(letter).width;
        letters.set(letter, wide);
      }
      width += wide;
    }
    return width;
  }

  // A card that is open stands before its branches and names the column they differ in.
  isOpen(node) { return !this.state.isLeaf(node) && this.state.open.has(node); }

  condition(node) {
    const { data, top } = this.state;
    const text = node === top || !data.branch[node] ? data.title[node] : data.branch[node];
    return shortenMiddle(text, LONGEST_VALUE);
  }

  splitName(node) {
    const { data } = this.state;
    return shortenMiddle(data.names[data.column[node]], LONGEST_NAME);
  }

  // Names of surveys often are questions already.
  question(node) {
    const name = this.splitName(node);
    return name.trimEnd().endsWith("?") ? name : `${name} ?`;
  }

  // The smoothed answer, open or closed: numbers on cards can be compared. What happened stands
  // beside the counts.
  chance(node) {
    const { answer, other } = this.state.data;
    return other ? `${percent(answer[node])} (${percent(other[node])})` : percent(answer[node]);
  }

  cardHeight(node, detail) { return this.isOpen(node) ? CARDS[detail].split : CARDS[detail].leaf; }

  cardWidth(node, detail, family) {
    const { data } = this.state, kind = CARDS[detail];
    const wide = (text, size, weight) => this.textWidth(text, size, weight, family);
    const condition = wide(this.condition(node), FONT, 600);
    const lines = [condition];
    if (detail === NUMBER || detail === BRIEF) lines[0] = condition + 12 + wide(this.chance(node), FONT, 600);
    if (detail === STACKED) lines.push(wide(this.chance(node), SMALL, 600));
    if (detail > NUMBER) lines.push(wide(countsText(data, node, detail === FULL), SMALL, 400));
    if (this.isOpen(node)) lines.push(wide(this.question(node), SMALL, 400));
    return Math.max(kind.narrowest, Math.max(...lines) + 2 * kind.pad);
  }

  // Whether cards that say so much could be read with everything in sight: a bound that needs no
  // layout, from the room that the ends of branches take.
  mayFit(detail, scale, height) {
    const { groups } = this.state.shownGroups();
    return groups * (CARDS[detail].leaf + CARDS[detail].gapY) * scale <= height + CARDS[detail].gapY;
  }

  // What a line of a list says behind its condition.
  numbers(node) { return `${this.chance(node)} · ${countsText(this.state.data, node, false)}`; }

  lineTitle(node) { return shortTitle(this.state.data, node, LONGEST_NAME); }

  // A level begins a little to the right of the one above it, so that depth takes hardly any width.
  layOutList(family) {
    const kind = CARDS[LINE], x = new Map(), y = new Map(), width = new Map(), height = new Map(), order = [];
    let right = 0;
    for (const [node, depth] of this.state.visible()) {
      const wide = this.textWidth(this.lineTitle(node), FONT, 600, family) + 14 + this.textWidth(this.numbers(node), SMALL, 400, family);
      x.set(node, depth * INDENT);
      y.set(node, order.length * (kind.leaf + kind.gapY));
      width.set(node, wide + 2 * kind.pad + 6);
      height.set(node, kind.leaf);
      order.push(node);
      right = Math.max(right, x.get(node) + width.get(node));
    }
    const extent = { width: right + 40, height: order.length * (kind.leaf + kind.gapY) - kind.gapY };
    return { detail: LINE, isList: true, x, y, width, height, order, extent };
  }

// Open nodes are visited from top to bottom, so every end of a branch gets the next free place.
// Going back through the same order, children come before their parent, which stands midway
// between the first and the last of them. No recursion: trees may be thousands of levels deep.
  layOut(detail, family) {
    if (this.isList) return this.layOutList(family);
    const { state } = this, kind = CARDS[detail];
    const x = new Map(), y = new Map(), width = new Map(), height = new Map(), order = [];
    let bottom = 0, right = 0;
    for (const [node] of state.visible()) {
      order.push(node);
      height.set(node, this.cardHeight(node, detail));
      if (!width.has(node)) this.placeSiblings(node, detail, family, x, width);
// Beside a card that can be opened hangs a button.
      right = Math.max(right, x.get(node) + width.get(node) + (!state.isLeaf(node) ? 40 : state.data.acted ? 86 : 4));
      if (this.isOpen(node)) continue;
// An only child needs as much room as the card before it.
      const alone = node !== state.top && state.children(state.data.parent[node]).length === 1;
      y.set(node, bottom);
      bottom += (alone ? Math.max(kind.leaf, kind.split) : kind.leaf) + kind.gapY + this.extra;
    }
    for (let k = order.length - 1; k >= 0; k--) {
      if (y.has(order[k])) continue;
      const children = state.children(order[k]);
      const first = children[0], last = children[children.length - 1];
      const middle = (y.get(first) + y.get(last) + height.get(last)) / 2;
      y.set(order[k], middle - height.get(order[k]) / 2);
    }
    const top = Math.min(0, y.get(order[0]));
    return { detail, x, y, width, height, order, extent: { width: right, height: bottom - kind.gapY - this.extra - top } };
  }

  // Siblings are as wide as the widest of them and begin where their parent's card ends.
  placeSiblings(node, detail, family, x, width) {
    const { state } = this, parent = state.data.parent[node];
    const siblings = node === state.top ? [node] : state.children(parent);
    const widest = Math.max(...siblings.map((sibling) => this.cardWidth(sibling, detail, family)));
    const left = node === state.top ? 0 : x.get(parent) + width.get(parent) + CARDS[detail].gapX;
    for (const sibling of siblings) { x.set(sibling, left); width.set(sibling, widest); }
  }
}
