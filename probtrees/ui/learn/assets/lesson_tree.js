// The picture of the tree: boxes with their counts, lines between them, the path lit. Boxes are
// ordinary elements, so that counts can be typed, dragged, reached by keyboard and read aloud.
// Text from data is only ever set as text.

// Notes of fewer letters fit any box: they need no room of their own.
const SHORT_NOTE = 14;
const SVG = "http://www.w3.org/2000/svg";

function element(name, { text, ...attributes } = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  if (text !== undefined) made.textContent = text;
  made.append(...children);
  return made;
}

function svg(name, { text, ...attributes } = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) if (value !== null) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  made.append(...children);
  return made;
}

// Text that has not changed is left alone, so that it can be selected and costs no layout; what was said is
// remembered, because to read it from the page is as dear.
function setText(one, text) {
  if (one.said === text) return;
  if (one.said && text && one.firstChild) one.firstChild.data = text; else one.textContent = text; // the same node: no new style
  one.said = text;
}

// To hide again what is hidden costs a style, too.
function hide(one, isHidden) { if (one.hidden !== isHidden) one.hidden = isHidden; }

function setAttributes(one, attributes) {
  one.set ??= {};
  for (const [name, given] of Object.entries(attributes)) {
    const value = typeof given === "number" ? Math.round(given * 10) / 10 : given;
    if (one.set[name] !== value) { one.set[name] = value; one.setAttribute(name, value); }
  }
}

class LessonTree {
  // onCount(place in counts, value, finished) is called while a count is dragged or typed,
  // onPick(node) when a node is pressed.
  constructor(onCount, onPick) {
    this.onCount = onCount;
    this.onPick = onPick;
    this.refused = element("p", { class: "refused", role: "alert", hidden: true });
    this.lines = svg("svg", { class: "edges", "aria-hidden": "true" });
    this.spoken = element("p", { class: "spoken" });
    this.box = element("div", { class: "tree", role: "group", "aria-label": "The tree" }, this.lines, this.spoken);
    new ResizeObserver(() => this.layOut()).observe(this.box);
  }

  // shape: what the server said about the tree; tree: its counts now.
  show(shape, tree, more = {}) {
    const { groups = null, notes = null, estimates = null, dragFrame = 0 } = more;
    const key = shape === this.shape ? this.key : JSON.stringify([shape.parent, shape.names, shape.editable, shape.cells]);
    if (key !== this.key) this.build(shape);
    this.key = key;
    Object.assign(this, { shape, tree, more });
    const path = new Set(pathTo(tree, shape.leaf));
    this.boxes.forEach((box, node) => { this.fill(box, node, path, groups, notes); this.pull(box, estimates?.[node] ?? null); });
// Measuring is dear: boxes stay where they are under a hand that drags, and while their words are as long as before.
    if (dragFrame && key === this.laidOut) return;
    setText(this.spoken, this.describe(path));
    const sizes = this.boxes.map(({ note, inputs }, node) => `${note.said?.length} ${inputs?.map((input) => input.value.length) ?? countText(tree.rows[node]).length}`).join();
    if (sizes !== this.sizes || key !== this.laidOut) this.layOut();
    Object.assign(this, { sizes, laidOut: key });
  }

  build(shape) {
    for (const box of this.boxes ?? []) box.root.remove();
    this.boxes = shape.parent.map((_, node) => {
      const place = shape.editable ? shape.ends.indexOf(node) : -1;
      const name = element("span", { class: "name", text: shape.names[node], title: shape.names[node] });
      const counts = element("span", { class: "counts" });
      const bar = element("span", { class: "fill" }), pulled = element("i", { hidden: true });
      const root = element("div", { class: "node" }, name, counts, element("span", { class: "bar", "aria-hidden": "true" }, bar, pulled), element("span", { class: "note" }));
      const box = { root, counts, bar, pulled, note: root.lastChild };
      if (shape.cells?.includes(node)) {
        root.addEventListener("click", () => this.onPick(node));
        root.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); event.stopPropagation(); this.onPick(node); } });
        root.classList.add("pickable");
        Object.assign(root, { tabIndex: 0, role: "button" });
      }
      if (place >= 0) {
        box.inputs = [0, 1].map((k) => this.countInput(2 * place + k, `${shape.names[node]}, ${shape.kinds[k]}`));
        counts.append(...[0, 1].map((k) => element("span", { class: "count" }, box.inputs[k], ` ${shape.kinds[k]}`)));
      }
      this.box.append(root);
      return box;
    });
    for (const line of this.edges ?? []) line.remove();
    this.edges = shape.parent.map(() => this.lines.appendChild(svg("line", {})));
  }

  // A number that can be typed, stepped by the arrow keys, or dragged sideways.
  countInput(place, label) {
    const input = element("input", { type: "text", inputmode: "numeric", "aria-label": label, title: "Type, or drag sideways" });
    const set = (value, finished) => { this.refused.hidden = true; this.onCount(place, Math.round(Math.min(Math.max(value, 0), MOST_COUNT)), finished); };
    input.addEventListener("input", () => { input.typing = true; this.refused.hidden = true; });
    input.addEventListener("blur", () => { input.typing = false; input.shown = null; });
    input.addEventListener("change", () => {
      const value = wholeNumberOf(input.value, 0, MOST_COUNT);
      input.typing = false;
      input.shown = null; // what was typed is written anew
      if (value === null) this.refuse(input, label);
      else set(value, true);
    });
    input.addEventListener("keydown", (event) => {
      const step = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      set(Number(input.value.replace(/\D/g, "")) + step, true);
    });
    let start = null;
    input.addEventListener("pointerdown", (event) => {
      start = { x: event.clientX, value: Number(input.value.replace(/\D/g, "")) };
// The box is small: a quick hand has left it before it is noticed.
      input.setPointerCapture(event.pointerId);
    });
    input.addEventListener("pointermove", (event) => {
      if (!start || Math.abs(event.clientX - start.x) < 5) return;
      start.moved = true;
      const off = event.clientX - start.x;
// Small counts move one by one, large ones by their size.
      set(start.value + Math.sign(off) * (Math.abs(off) / 12) * Math.max(1, start.value / 30), false);
    });
    for (const name of ["pointerup", "pointercancel"]) {
      input.addEventListener(name, () => { if (start?.moved) { set(Number(input.value.replace(/\D/g, "")), true); input.blur(); } start = null; });
    }
    return input;
  }

  // What was typed is not taken; the count stays.
  refuse(input, label) {
    const typed = input.value;
    this.show(this.shape, this.tree, this.more);
    setText(this.refused, `“${typed}” for ${label} must be a whole number from 0 to ${countText(MOST_COUNT)}. It stays ${input.value}.`);
    this.refused.hidden = false;
  }

  fill(box, node, path, groups, notes) {
    const { tree, shape } = this, rows = tree.rows[node], cases = tree.cases[node], share = observed(tree, node);
    const group = groups && groups[node] >= 0 ? groups[node] % 6 : "", look = [path.has(node), node === shape.leaf, this.symbolsOf(node, path), group].join();
    if (look !== box.look) {
      box.look = look;
      box.root.classList.toggle("on-path", path.has(node));
      box.root.classList.toggle("asked", node === shape.leaf);
      Object.assign(box.root.dataset, { symbol: this.symbolsOf(node, path), group });
    }
    if (box.inputs) {
      [cases, rows - cases].forEach((value, k) => {
        const input = box.inputs[k];
// Not while somebody types into it.
        if (input.typing || (input.shown === value && input.of === shape.leaf)) return;
        input.value = countText(value);
        input.style.width = `${input.value.length + 0.6}ch`;
        input.dataset.symbol = node === shape.leaf ? ["n_k n", "n"][k] : "";
        Object.assign(input, { shown: value, of: shape.leaf });
      });
    } else if (box.counts.key !== `${cases} ${rows} ${node === shape.leaf}`) {
      box.counts.key = `${cases} ${rows} ${node === shape.leaf}`;
      box.counts.replaceChildren(
        element("b", { text: countText(cases), "data-symbol": node === shape.leaf ? "n_k n_x" : "" }), " of ",
        element("b", { text: countText(rows), "data-symbol": node === shape.leaf ? "n" : node === 0 ? "N" : "" }));
    }
    if (share !== box.share) {
      box.share = share;
      box.bar.style.width = share === null ? "0" : `${share * 100}%`;
      box.root.title = share === null ? "no rows" : `observed: ${percent(share)}`;
    }
    const note = notes?.[node] ?? "", isShort = note.length < SHORT_NOTE;
    if (!this.more.dragFrame || this.more.dragFrame % 3 === 1) setText(box.note, note);
    if (isShort !== box.isShort) box.note.classList.toggle("short", box.isShort = isShort);
    if (box.isNoted !== (note !== "")) box.root.classList.toggle("noted", box.isNoted = note !== "");
  }

  // The estimate is a mark in the bar of what was observed: smoothing moves it, counts stay.
  pull(box, estimate) {
    const at = estimate === null ? null : `translateX(${(estimate * 100).toFixed(1)}%)`;
    if (at === box.pulledTo) return;
    box.pulledTo = at;
    box.pulled.hidden = at === null;
    if (at !== null) box.pulled.style.transform = at;
  }

  symbolsOf(node, path) {
    if (node === this.shape.leaf) return "p";
    if (node === this.tree.parent[this.shape.leaf]) return "q w_a p_a a";
    if (node === 0) return "N w_a p_a a";
    return path.has(node) ? "w_a p_a a" : "";
  }

  describe(path) {
    return [...path].map((node) => {
      const share = observed(this.tree, node);
      return `${this.shape.names[node]}: ${countText(this.tree.cases[node])} of ${countText(this.tree.rows[node])}${share === null ? ", no rows" : `, ${percent(share)}`}`;
    }).join("; ");
  }

  // Leaves side by side in the order of the branches, parents above the middle of their children.
  // A long path would need more room than there is: its other branches then stand to the right.
  layOut() {
    if (!this.tree || !this.box.clientWidth) return;
    const { parent } = this.tree, depth = parent.map(() => 0);
    parent.forEach((up, node) => { if (up >= 0) depth[node] = depth[up] + 1; });
    const children = parent.map((_, node) => parent.flatMap((up, at) => (up === node ? [at] : [])));
    const levels = Math.max(...depth) + 1, isLong = levels > 3 || parent.length > 12;
    this.box.classList.toggle("long", isLong);
    this.box.classList.toggle("wide", !isLong && parent.filter((_, node) => !children[node].length).length > 4);
    const x = parent.map(() => 0);
    let next = 0;
    const place = (node) => {
      children[node].forEach(place);
      x[node] = children[node].length ? (x[children[node][0]] + x[children[node].at(-1)]) / 2 : next++;
    };
    place(0);
    const width = this.box.clientWidth, tops = [], gap = isLong ? 9 : 24, sizes = this.boxes.map(({ root }) => ({ wide: root.offsetWidth, high: root.offsetHeight }));
    let below = 0;
    for (let level = 0; level < levels; level++) {
      tops.push(below);
      below += gap + Math.max(...sizes.filter((_, node) => depth[node] === level).map(({ high }) => high));
    }
    const path = new Set(pathTo(this.tree, this.shape.leaf));
    this.boxes.forEach(({ root }, node) => {
      const middle = isLong ? (path.has(node) ? 0.3 : 0.77) * width : (x[node] + 0.5) / next * width;
      const { wide, high } = sizes[node], left = Math.min(Math.max(middle - wide / 2, 0), width - wide);
      root.style.transform = `translate(${Math.round(left)}px, ${tops[depth[node]]}px)`;
      root.at = { x: left + wide / 2, top: tops[depth[node]], height: high };
    });
    this.box.style.height = `${below - gap + 2}px`;
    parent.forEach((up, node) => {
      if (up < 0) return;
      const from = this.boxes[up].root.at, to = this.boxes[node].root.at, line = this.edges[node];
      const ends = { x1: from.x, y1: from.top + from.height, x2: to.x, y2: to.top };
      for (const [name, value] of Object.entries(ends)) line.setAttribute(name, value);
      line.setAttribute("class", path.has(node) ? "on-path" : "");
    });
  }
}
