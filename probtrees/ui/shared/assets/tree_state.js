// The tree that Python sent, and what the reader has opened, selected, focused and found in it.

const FIRST_GROUPS = 12;

class TreeState {
  constructor() {
    this.open = new Set();
    this.top = 0;
    this.selected = 0;
    this.matches = [];
    this.isMatch = new Set();
    this.at = -1;
  }

  // Takes new data over; returns whether it is another tree. What is open stays open otherwise.
  take(data) {
    const isNew = this.data === undefined || data.tree !== this.data.tree;
    const moved = data.followed !== null && data.followed !== this.data?.followed;
    this.data = data;
    if (moved) this.reveal(data.followed);
    if (isNew) {
      this.showGroups(FIRST_GROUPS);
      this.top = 0;
      this.find("");
    }
// A turn is a selection made elsewhere on the page. Our own click comes back with the same turn:
// by then the reader may have gone on, so it is not followed.
    if (isNew || data.turn !== this.turn) {
      this.selected = data.selected;
      this.turn = data.turn;
      this.reveal(data.selected);
    }
    return isNew;
  }

  isLeaf(node) { return this.data.first[node] < 0; }

  children(node) {
    const first = this.data.first[node];
    return first < 0 ? [] : Array.from({ length: this.data.n[node] }, (_, k) => first + k);
  }

  path(node) {
    const nodes = [];
    for (let at = node; at >= 0; at = this.data.parent[at]) nodes.push(at);
    return nodes.reverse();
  }

  reveal(node) {
    const path = this.path(node);
// A node outside of the part in focus can only be seen in the whole tree.
    if (!path.includes(this.top)) this.top = 0;
    for (const step of path.slice(0, -1)) this.open.add(step);
  }

  // All nodes that can be seen, from top to bottom, with their depth below the focused node.
  visible() {
    const seen = [], waiting = [[this.top, 0]];
    while (waiting.length) {
      const [node, depth] = waiting.pop();
      seen.push([node, depth]);
      const children = this.open.has(node) ? this.children(node) : [];
// A stack: the last one put in is the next one out, so the first child goes in last.
      for (let k = children.length - 1; k >= 0; k--) waiting.push([children[k], depth + 1]);
    }
    return seen;
  }

  // Opens the splits that tell most apart, until there are so many groups.
  showGroups(most) {
    const { opening, n } = this.data;
    let groups = 1, k = 0;
    while (k < opening.length && (k === 0 || groups + n[opening[k]] - 1 <= most)) groups += n[opening[k++]] - 1;
    this.open = new Set(opening.slice(0, k));
  }

  // How many groups the picture shows, and what share of what all leaves tell apart they tell.
  told() {
    const { tells } = this.data;
    let groups = 0, share = 0;
    for (const [node] of this.visible()) {
      if (!this.isLeaf(node) && this.open.has(node)) share += tells[node]; else groups += 1;
    }
    return { groups, share: Math.min(share, 1) };
  }

  toggle(node) {
    if (this.isLeaf(node)) return;
    if (this.open.has(node)) this.open.delete(node); else this.open.add(node);
  }

  openLevel() {
    for (const [node] of this.visible()) if (!this.isLeaf(node)) this.open.add(node);
  }

  closeLevel() {
    const opened = this.visible().filter(([node]) => this.open.has(node));
// The deepest open level, so that closing undoes opening; the top itself stays open.
    const deepest = Math.max(0, ...opened.map(([, depth]) => depth));
    if (deepest > 0) for (const [node, depth] of opened) if (depth === deepest) this.open.delete(node);
  }

  focusOn(node) {
// A leaf alone would be no picture: it is shown beside its siblings.
    this.top = this.isLeaf(node) ? Math.max(this.data.parent[node], 0) : node;
    this.open.add(this.top);
  }

  // The node an arrow key leads to.
  neighbour(way) {
    const order = this.visible().map(([node]) => node);
    const place = order.indexOf(this.selected);
    if (place < 0) return this.top;
    if (way === "left") return this.selected === this.top ? this.top : this.data.parent[this.selected];
    if (way === "right") {
      if (this.isLeaf(this.selected)) return this.selected;
      this.open.add(this.selected);
      return this.data.first[this.selected];
    }
    return order[Math.min(Math.max(place + (way === "up" ? -1 : 1), 0), order.length - 1)];
  }

  find(text) {
    this.matches = text.trim() ? findNodes(this.data, text) : [];
    this.isMatch = new Set(this.matches);
    this.at = -1;
  }

  nextMatch(by) {
    const n = this.matches.length;
    if (!n) return null;
    this.at = this.at < 0 ? (by > 0 ? 0 : n - 1) : (this.at + by + n) % n;
    this.reveal(this.matches[this.at]);
    return this.matches[this.at];
  }
}
