// Joins the picture of a network to its toolbar, the keyboard and Python.
// Text from the data is only ever drawn on the canvas or set as textContent, never parsed as HTML.

class NetworkView {
  constructor(root) {
    this.root = root;
    root.view = this;
    this.send = () => {};
    this.picture = new NetworkPicture(root, { pick: (found) => this.pick(found) });
    root.querySelector(".bar").addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) this.act(button.dataset.do);
    });
    this.picture.canvas.addEventListener("keydown", (event) => this.key(event));
  }

  update(data) {
    const isNew = data.network !== this.picture.data?.network;
    this.picture.take(data);
    this.root.querySelector('[data-do="class"]').hidden = data.classArcs.length === 0;
    this.root.querySelector(".remark").textContent = data.nodes.some((node) => node.compact)
      ? `${data.remark} Where boxes show names alone, zoom in for their values.` : data.remark;
// The reader's zoom and place are kept unless the picture is another one.
    if (isNew) this.picture.placeAtStart();
    else this.picture.bringIntoView(this.picture.box(data.selected));
    this.picture.draw();
  }

  act(what) {
    if (what === "class") {
      this.picture.showClass = !this.picture.showClass;
      this.root.querySelector('[data-do="class"]').setAttribute("aria-pressed", this.picture.showClass);
      this.picture.draw();
      return;
    }
    this.picture.actions[what]?.();
  }

  pick(found) {
    const { data } = this.picture;
    data.selected = found.column;
    data.arc = found.parent === null || found.drawn ? null : [found.parent, found.column];
    this.picture.tip.hidden = true; // what it says is no longer so
    this.root.querySelector(".spoken").textContent = found.words ?? this.picture.byColumn.get(found.column).words;
    this.picture.draw();
    this.turn = (this.turn ?? 0) + 1;
    const { column, value, parent, drawn = false } = found;
    this.send({ column, value, parent, drawn, turn: this.turn });
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    const action = event.key === "c" ? "class" : this.picture.keyAction(event.key);
    if (step) this.walk(step);
    else if (action) this.act(action);
    else return;
    event.preventDefault();
  }

  walk(step) {
    const { data } = this.picture, columns = data.nodes.map((node) => node.column);
    const next = columns[(columns.indexOf(data.selected) + step + columns.length) % columns.length];
    this.picture.bringIntoView(this.picture.box(next));
    clearTimeout(this.sending);
    data.selected = next;
    this.picture.draw();
// Every choice makes Python draw a table again; while keys are held that would pile up.
    this.sending = setTimeout(() => this.pick({ column: next, value: null, parent: null }), 250);
  }
}

// Streamlit calls the function below again with every run; the view of an element is kept.
const views = new WeakMap();

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector(".network-view");
  if (!views.has(root)) views.set(root, new NetworkView(root));
  const view = views.get(root);
  view.send = (found) => setTriggerValue("picked", found);
  view.update(data);
}
