// The tree that Python sent, and what the reader has opened, selected, focused and found in it.

class TreeState {
  constructor() {
    this.open = new Set();
    this.top = 0;
    this.selected = 0;
    this.openedForWay = [];
    this.marked = new Set();
    this.aboveMarked = new Set();
    this.matches = [];
    this.isMatch = new Set();
    this.at = -1;
  }

  // Takes new data over; returns whether it is another tree. What is open stays open otherwise.
  take(data) {
    const isNew = this.data === undefined || data.tree !== this.data.tree;
    const moved = String(data.followed) !== String(this.data?.followed ?? []);
    const marked = isNew || data.marked !== this.data.marked;
    this.data = data;
    if (isNew) {
      this.empty = new Set(data.empty);
      this.allLeaves = data.first.filter((child) => child < 0).length;
      if (data.opened) this.open = new Set(data.opened.open);
      else this.showGroups(data.firstGroups, this.path(data.selected).slice(0, -1));
      this.top = data.opened?.top ?? 0;
      this.openedForWay = [];
      this.find("");
    }
    if (data.decide) this.decide(data.decide.at);
    if (marked) this.markColumn(data.marked);
    this.hasMoved = isNew ? data.followed.length > 0 : moved;
    if (this.hasMoved) this.showWays(data.followed);
// A turn is a selection made elsewhere on the page. Our own click comes back with the same turn:
// by then the reader may have gone on, so it is not followed.
    if (isNew || data.turn !== this.turn) {
      this.selected = data.selected;
      this.turn = data.turn;
// A link shows what its maker saw, where the selected node may be folded away.
      if (!isNew || !data.opened?.exact) this.reveal(data.selected);
    }
    return isNew;
  }

  isLeaf(node) { return this.data.first[node] < 0; }

  children(node) {
    const first = this.data.first[node];
    if (first < 0) return [];
    const all = Array.from({ length: this.data.total[node] }, (_, k) => first + k);
    return this.data.n[node] === all.length ? all : all.filter((child) => !this.isLeftOut(child));
  }

  // A branch that no training row took is drawn only on the way to what the reader looks at.
  isLeftOut(node) { return this.empty.has(node) && !this.lookedAt().has(node); }

  // The branches without rows on the ways to the nodes that are selected, followed or pinned.
  lookedAt() {
    const { data, selected } = this;
    if (this.looked?.data !== data || this.looked.selected !== selected) {
      const ends = [selected, ...data.followed, ...data.pinned];
      const ways = new Set(ends.flatMap((end) => this.path(end).filter((node) => this.empty.has(node))));
      this.looked = { data, selected, ways };
    }
    return this.looked.ways;
  }

  // How many branches without rows are left out of what is open.
  leftOut() {
    let number = 0;
    for (const [node] of this.visible()) {
      if (!this.isLeaf(node) && this.open.has(node)) number += this.data.total[node] - this.children(node).length;
    }
    return number;
  }

  path(node) {
    const nodes = [];
    for (let at = node; at >= 0; at = this.data.parent[at]) nodes.push(at);
    return nodes.reverse();
  }

  // Notes the splits on a column, and the nodes above them; one split at least comes into sight.
  markColumn(column) {
    const { data } = this;
    this.marked = new Set();
    this.aboveMarked = new Set();
    if (column === null) return;
    for (let node = 0; node < data.parent.length; node++) if (data.column[node] === column) this.marked.add(node);
    for (const node of this.marked) {
      for (let at = data.parent[node]; at >= 0 && !this.aboveMarked.has(at); at = data.parent[at]) this.aboveMarked.add(at);
    }
    const inSight = new Set(this.visible().map(([node]) => node));
    if (this.marked.size && ![...this.marked].some((node) => inSight.has(node))) {
      this.reveal([...this.marked].reduce((best, node) => data.rows[node] > data.rows[best] ? node : best));
    }
  }

  // Whether a node splits on the marked column, or hides such a split.
  markOf(node) {
    if (this.marked.has(node)) return "split";
    return this.aboveMarked.has(node) && !this.open.has(node) ? "hidden" : "";
  }

  // Paints nodes by the share of their rows that is acted on; a child comes behind its parent.
  decide(at) {
    const { data } = this, { first, total, rows, answer, decide } = data, [, threshold, lot] = decide.stops[at];
    const acted = data.acted = new Float64Array(first.length);
    for (let node = first.length - 1; node >= 0; node--) {
      const over = answer[node] - threshold;
      let all = 0, part = 0;
      for (let child = first[node]; first[node] >= 0 && child < first[node] + total[node]; child++) {
        all += rows[child];
        part += rows[child] * acted[child];
      }
// Answers come with nine digits.
      acted[node] = all > 0 ? part / all : Math.abs(over) <= 1e-9 ? lot : Number(over > 0);
    }
    data.fill = Array.from(acted, (share) => decide.paint[share <= 0 ? 0 : share >= 1 ? decide.paint.length - 1 : 1]);
  }

  // Opens the ways of followed rows, and closes what was opened only for those followed before.
  showWays(followed) {
    for (const node of this.openedForWay) this.open.delete(node);
    const before = new Set(this.open);
    for (const node of followed) this.reveal(node);
    this.openedForWay = [...this.open].filter((node) => !before.has(node));
  }

  // The nodes on the ways that are lit: to the followed rows, else to the selected node.
  litPath() {
    const ends = this.data.followed.length ? this.data.followed : [this.selected];
    return new Set(ends.flatMap((node) => this.path(node)));
  }

  // Which of two followed rows end in a node.
  lettersOf(node) {
    const { followed } = this.data;
    return followed.length > 1 ? followed.map((end, k) => end === node ? "AB"[k] : "").filter(Boolean).join(" + ") : "";
  }

  // The open nodes that can be seen: what a picture file has to open too.
  openInSight() { return this.visible().filter(([node]) => this.open.has(node) && !this.isLeaf(node)).map(([node]) => node); }

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

  // Opens the splits that tell most apart until there are so many groups, and a way besides: what
  // tells most stays in view; as DetailOrder.opened does.
  showGroups(most, way = []) {
    const { opening, n } = this.data;
    this.open = new Set();
    let groups = 1;
    for (const node of opening) {
      if (this.open.size && groups + n[node] - 1 > most) break;
      groups += n[node] - 1;
      this.open.add(node);
    }
    for (const node of way) this.open.add(node);
  }

  // How many groups the picture shows, and what share of what all leaves tell apart they tell.
  shownGroups() {
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
      return this.children(this.selected)[0];
    }
    return order[Math.min(Math.max(place + (way === "up" ? -1 : 1), 0), order.length - 1)];
  }

  find(text) {
    this.matches = text.trim() ? findNodes(this.data, text) : [];
    this.isMatch = new Set(this.matches);
    this.notFound = text.trim() && !this.matches.length ? misunderstood(this.data, text) || "No group fits all of it." : "";
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
