// The same tree as an indented list, for keyboards, screen readers and phones.

class TreeOutline {
  constructor(state, element, handlers) {
    this.state = state;
    this.element = element;
    element.addEventListener("click", (event) => {
      const item = event.target.closest("[role=treeitem]");
      if (!item) return;
      const node = Number(item.dataset.node);
      if (event.target.closest(".fold")) handlers.toggle(node); else handlers.select(node);
    });
  }

  draw() {
    if (this.element.hidden) return;
    const { state } = this;
// All lines are made again, so the one that had the keyboard gets it back. The component lives in a
// shadow root, where document.activeElement would only name its host.
    const had = this.element.contains(this.element.getRootNode().activeElement);
    const items = state.visible().map(([node, depth]) => this.item(node, depth));
    this.element.replaceChildren(...items);
    const chosen = this.element.querySelector('[aria-selected="true"]') ?? this.element.firstElementChild;
// One stop for the Tab key; arrow keys move inside, as screen readers expect of a tree.
    chosen.tabIndex = 0;
    if (had) chosen.focus({ preventScroll: true });
  }

  // A list begins at its top, whichever line is selected before the reader has selected one.
  placeAtStart() {
    this.first = this.state.selected;
    this.element.scrollTop = 0;
  }

  // Puts the selected line into the middle of the list, without moving the page.
  centre() {
    if (this.state.selected === this.first) return;
    this.first = null;
    const chosen = this.element.querySelector('[aria-selected="true"]');
    if (!chosen) return;
    const top = chosen.offsetTop - this.element.offsetTop;
    const shown = top >= this.element.scrollTop && top + 40 < this.element.scrollTop + this.element.clientHeight;
    if (!shown) this.element.scrollTop = top - this.element.clientHeight / 2;
  }

  item(node, depth) {
    const { data, open, selected } = this.state;
    const leaf = this.state.isLeaf(node);
    const item = make("div", "item");
    item.setAttribute("role", "treeitem");
    item.setAttribute("aria-level", depth + 1);
    item.setAttribute("aria-selected", node === selected);
    item.dataset.node = node;
    item.tabIndex = -1;
    item.style.paddingLeft = `${depth * 0.9}rem`;
    if (!leaf) item.setAttribute("aria-expanded", open.has(node));
    if (this.state.isMatch.has(node)) item.classList.add("found");
    if (this.state.markOf(node)) item.classList.add("marked");
    const fold = make("span", "fold", leaf ? "" : open.has(node) ? "▾" : "▸");
    fold.setAttribute("aria-hidden", "true");
    const words = make("span", "words");
    words.append(make("b", "", data.title[node]), make("span", "counts", countsText(data, node)));
    const folded = leaf || open.has(node) ? "" : `${count(data.below[node])} leaves · `;
    const answer = make("span", "answer", `${folded}${percent(data.answer[node])}${leaf && data.acted ? ` · ${decisionText(data, node)}` : ""}`);
    answer.style.background = data.fill[node];
    item.append(fold, words, answer);
    return item;
  }
}

function make(tag, name, text) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text !== undefined) element.textContent = text;
  return element;
}
