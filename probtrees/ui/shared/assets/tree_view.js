// Joins state, picture and outline to the toolbar, the keyboard and Python.
// Text from the data is only ever drawn on the canvas or set as textContent, never parsed as HTML.

const MOST_SENT = 3000; // open nodes; no picture file has more

class TreeView {
  constructor(root, hasRoom = () => root.clientWidth >= 560) {
    this.root = root;
    this.hasRoom = hasRoom;
    root.view = this;
    this.state = new TreeState();
    this.stage = root.querySelector(".stage");
    this.list = root.querySelector(".outline");
    this.input = root.querySelector(".find input");
    this.slider = root.querySelector(".detail input");
    this.acting = root.querySelector(".acting");
    const handlers = {
      select: (node) => this.select(node),
      toggle: (node) => this.toggle(node),
      focus: (node) => this.focusOn(node),
      reshaped: () => { this.sayDetail(); this.press(); },
    };
    this.picture = new TreePicture(this.state, root, handlers);
    this.outline = new TreeOutline(this.state, this.list, handlers);
    this.send = () => {};
    this.sendDecided = () => {};
    this.sendOpen = () => {};
    this.listen();
    this.show("picture");
    this.openByWidth();
  }

  // Without room for a picture one begins with the list. A page that is hidden or not yet laid out
  // has no width, so this is decided again at every width, until the reader does something.
  openByWidth() {
    const look = () => {
      if (this.root.clientWidth && this.hasRoom() === this.stage.hidden) this.show(this.hasRoom() ? "picture" : "outline");
    };
    const watching = new ResizeObserver(look);
    watching.observe(this.root);
    for (const event of ["pointerdown", "keydown"]) {
      this.root.addEventListener(event, () => watching.disconnect(), { capture: true, once: true });
    }
    look();
  }

  update(data) {
    const compared = Boolean(this.state.data?.other), isNew = this.state.take(data);
    if (isNew) this.input.value = "";
    const turned = this.acting.hidden === Boolean(data.decide) || compared !== Boolean(data.other);
    this.takeDecision(data.decide);
    this.picture.layOut();
// The reader's zoom and place are kept unless the tree is another one, or decisions or other numbers come beside it.
    if (isNew || turned) this.picture.placeAtStart();
    if (this.state.hasMoved && data.followed.length) this.picture.showWays(this.state.litPath());
    else if (this.state.hasMoved) this.picture.placeAtStart();
    else if (!isNew && !data.followed.length && !this.picture.isBlocks) this.picture.show(this.state.selected); // blocks are all in sight
// What Python opens a picture file with, until something else is sent.
    if (isNew) this.sentOpen = String(this.state.openInSight());
    this.redraw();
    if (isNew) this.outline.placeAtStart();
    else this.outline.centre();
  }

  // Moves the slider to what Python says, unless the reader has moved it on since.
  takeDecision(decide) {
    const slider = this.acting.querySelector("input");
    this.acting.hidden = !decide;
    if (!decide) return;
    // By its label: another rule may have brought a stop of its own, which moves all behind it.
    const sent = decide.rule === this.rule ? decide.stops.findIndex(([label]) => label === this.sentStop) : -1;
    const isLate = sent >= 0 && sent !== decide.at;
    this.rule = decide.rule;
    slider.max = decide.stops.length - 1;
    slider.value = isLate ? sent : decide.at;
    if (!isLate) this.sentStop = undefined;
    this.showDecision();
  }

  showDecision() {
    const { data } = this.state, [rule, slider, label, told] = this.acting.children;
    this.state.decide(Number(slider.value));
    rule.textContent = data.decide.rule;
    [label.textContent, , , told.textContent] = data.decide.stops[slider.value];
    slider.setAttribute("aria-valuetext", label.textContent);
  }

  // What the page says around the picture, and the panel about the selected node: on a screen of
  // its own neither is in sight.
  writeCaption() {
    const { data, selected } = this.state, caption = this.root.querySelector(".caption");
    const piece = (name, kind, text) => {
      const element = document.createElement(name);
      element.className = kind;
      element.textContent = text;
      return element;
    };
    const legend = (data.legend ?? []).map(([paint, text]) => {
      const part = piece("span", paint.includes("(") ? "patch scale" : paint ? "patch" : "", text);
      if (paint) part.style.background = paint;
      return part;
    });
    caption.replaceChildren(piece("b", "", `${data.target} = ${data.outcome}`), ...legend,
      piece("span", "told", describe(data, selected).replaceAll("\n", " · ")));
  }

  // Tells Python what is open, so that a picture file shows the same; when the reader has paused.
  tellOpen() {
    clearTimeout(this.telling);
    this.telling = setTimeout(() => {
      const open = this.state.openInSight();
      if (String(open) === this.sentOpen) return;
      this.sentOpen = String(open);
      this.sendOpen({ tree: this.state.data.tree, top: this.state.top, open: open.slice(0, MOST_SENT), groups: this.state.shownGroups().groups });
    }, 600);
  }

  redraw() {
    const { state } = this;
    this.picture.draw();
    this.outline.draw();
    this.writeCaption();
    this.tellOpen();
    this.button("whole").hidden = state.top === 0;
    this.button("focus").hidden = state.top !== 0 || state.isLeaf(state.selected);
    this.root.querySelector(".steps").hidden = !this.input.value.trim();
    this.sayDetail();
    const found = state.matches.length;
    this.root.querySelector(".matches").textContent = !this.input.value.trim() ? ""
      : state.at < 0 ? `${count(found)} found` : `${state.at + 1} of ${count(found)}`;
  }

  // Says what the open part shows, and moves the slider there.
  sayDetail() {
    const { state } = this, { groups, share } = state.shownGroups(), { leaves } = state.data;
    const remark = this.root.querySelector(".remark");
    const all = state.allLeaves, gone = state.leftOut();
    if (state.top !== 0) remark.textContent = `${count(groups)} groups of a part of the tree.`;
    else if (groups >= leaves) remark.textContent = all === 1 ? "The tree is one leaf." : `All ${count(leaves)} leaves${gone ? " with rows" : ""} are shown.`;
    else if (!state.data.tells.some(Boolean)) remark.textContent = "All leaves say the same.";
    else remark.textContent = `These ${count(groups)} groups tell ${wholePercent(share)} of what the ${count(all)} leaves tell apart.`;
    if (gone) remark.textContent += ` ${count(gone)} ${gone === 1 ? "branch without rows is" : "branches without rows are"} not drawn.`;
    if (this.picture.isBlocks) remark.textContent += " The higher a block, the more rows.";
    if (state.visible().some(([node]) => state.open.has(node) && state.data.again?.[node])) remark.textContent += " 4/5 at a split: 4 of 5 trees grown without a part of the rows have it too.";
    if (state.data.marked !== null) remark.textContent += ` ${this.sayMarked()}`;
    if (state.notFound) remark.textContent = `Find: ${state.notFound}`;
    this.slider.setAttribute("aria-valuetext", remark.textContent);
    if (this.slider !== this.root.getRootNode().activeElement) this.slider.value = detailPlace(groups, leaves);
  }

  sayMarked() {
    const { state } = this, name = state.data.names[state.data.marked];
    const inSight = state.visible().filter(([node]) => state.marked.has(node)).length;
    return `${name}: ${count(inSight)} of its ${count(state.marked.size)} splits in sight.`;
  }

  slide() {
    const { state } = this, { leaves } = state.data;
    this.picture.tip.hidden = true;
    state.showGroups(detailGroups(Number(this.slider.value), leaves));
    if (state.top !== 0) state.open.add(state.top);
    if (Number(this.slider.value) >= 100) this.picture.fit(); else this.picture.placeAtStart();
    this.redraw();
  }

  button(what) { return this.root.querySelector(`[data-do="${what}"]`); }

  listen() {
    this.root.querySelector(".bar").addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) this.act(button.dataset.do);
    });
    this.slider.addEventListener("input", () => this.slide());
    const stops = this.acting.querySelector("input");
    stops.addEventListener("input", () => { this.showDecision(); this.redraw(); });
    stops.addEventListener("change", () => {
      [this.sentStop] = this.state.data.decide.stops[stops.value];
      this.sendDecided(Number(stops.value));
    });
    this.input.addEventListener("input", () => { this.state.find(this.input.value); this.redraw(); });
    this.input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") { event.preventDefault(); this.act(event.shiftKey ? "previous" : "next"); }
    });
    for (const element of [this.picture.canvas, this.list]) element.addEventListener("keydown", (event) => this.key(event));
  }

  show(what) {
    this.stage.hidden = what !== "picture";
    this.list.hidden = what !== "outline";
    this.press();
    for (const name of Object.keys(this.picture.actions)) this.button(name).hidden = what !== "picture";
    this.root.querySelector(".foot").hidden = what !== "picture";
    if (this.state.data) { this.redraw(); this.outline.centre(); }
  }

  press() {
    const shown = this.stage.hidden ? "outline" : this.picture.isBlocks ? "blocks" : "cards";
    for (const name of ["cards", "blocks", "outline"]) this.button(name).setAttribute("aria-pressed", name === shown);
  }

  // Shows the tree as the reader wants it, whatever its size.
  draw(kind) {
    this.picture.wanted = kind;
    this.show("picture");
    this.picture.fit();
    this.picture.handlers.reshaped();
    this.redraw();
  }

  act(what) {
    const { state, picture } = this;
    const actions = {
      ...picture.actions,
      open: () => this.change(() => state.openLevel()),
      close: () => this.change(() => state.closeLevel()),
      focus: () => this.focusOn(state.selected),
      whole: () => this.wholeTree(),
      next: () => this.step(1),
      previous: () => this.step(-1),
      cards: () => this.draw("cards"),
      blocks: () => this.draw("blocks"),
      outline: () => this.show("outline"),
    };
    actions[what]();
  }

  key(event) {
    const keys = { o: "open", c: "close", f: "focus", Escape: "whole" };
    const action = keys[event.key] ?? this.picture.keyAction(event.key);
    const ways = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };
// Shortcuts of the browser stay what they are.
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (action) this.act(action);
    else if (ways[event.key]) this.walk(ways[event.key]);
    else if (event.key === "Enter" || event.key === " ") this.toggle(this.state.selected);
    else if (event.key === "/") this.input.focus();
    else return;
    event.preventDefault();
  }

  // Changes what is open; the selected node stays where it is on the screen.
  change(how) {
    how();
    this.picture.layOutAround(this.picture.place.x.has(this.state.selected) ? this.state.selected : this.state.top);
    this.redraw();
  }

  toggle(node) {
    this.state.toggle(node);
    this.picture.layOutAround(node);
    this.redraw();
  }

  select(node) {
    clearTimeout(this.sending);
    this.state.selected = node;
    this.root.querySelector(".spoken").textContent = describe(this.state.data, node).replaceAll("\n", ", ");
    this.redraw();
    this.send(node);
  }

  // Moves with the arrow keys; Python hears of it when the walk pauses.
  walk(way) {
    const node = this.state.neighbour(way);
    this.state.selected = node;
    this.picture.layOut();
    this.picture.show(node);
    this.root.querySelector(".spoken").textContent = describe(this.state.data, node).replaceAll("\n", ", ");
    this.redraw();
    this.outline.centre();
    clearTimeout(this.sending);
// Every selection makes Python draw the panel again; while keys are held that would pile up.
    this.sending = setTimeout(() => this.select(node), 250);
  }

  focusOn(node) {
    this.state.focusOn(node);
    this.picture.fit(LEGIBLE_SCALE);
    this.redraw();
  }

  wholeTree() {
    this.state.top = 0;
    this.state.reveal(this.state.selected);
    this.picture.layOut();
    this.picture.placeAtStart();
    this.redraw();
  }

  step(by) {
    const node = this.state.nextMatch(by);
    if (node === null) return;
    this.picture.layOut();
// What was searched for should be legible.
    if (!this.picture.isBlocks) this.picture.scale = Math.max(this.picture.scale, LEGIBLE_SCALE);
    this.state.selected = node;
    this.picture.show(node);
    this.select(node);
    this.outline.centre();
  }
}

// Three lines of JSON: what changes often, the texts of the tree, its numbers. The long ones
// are only read again when they belong to another tree or another smoother.
class Reader {
  read(bytes) {
    const lines = new TextDecoder().decode(bytes).split("\n");
    const head = JSON.parse(lines[0]);
    if (head.tree !== this.head?.tree) this.texts = JSON.parse(lines[1]);
    if (head.numbers !== this.head?.numbers) this.numbers = JSON.parse(lines[2]);
    this.head = head;
    return { ...this.texts, ...this.numbers, ...head };
  }
}

// Streamlit calls the function below again with every run; the view of an element is kept.
const views = new WeakMap();

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector(".tree-view");
  if (!views.has(root)) views.set(root, { view: new TreeView(root), reader: new Reader() });
  const { view, reader } = views.get(root);
  view.send = (node) => setTriggerValue("selected", node);
  view.sendOpen = (open) => setTriggerValue("opened", open);
  view.sendDecided = (stop) => setTriggerValue("decided", stop);
  view.update(reader.read(data));
}
