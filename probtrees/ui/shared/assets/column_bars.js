// Columns as bars, from a common zero, with the spread of each; a click tells Python which one.
// Names come from the data: they are only ever set as textContent.

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector(".column-bars");
  const { columns, chosen, low, high } = JSON.parse(new TextDecoder().decode(data));
  const place = (value) => 100 * (Math.min(Math.max(value, low), high) - low) / (high - low || 1);
  const make = (tag, name, text = "") => {
    const element = document.createElement(tag);
    element.className = name;
    element.textContent = text;
    return element;
  };
  const bar = (column) => {
    const track = make("span", "track"), fill = make("span", "fill");
    const ends = [place(0), place(column.loss)].sort((a, b) => a - b);
    fill.style.left = `${ends[0]}%`;
    fill.style.width = `${ends[1] - ends[0]}%`;
    const spread = make("span", "spread");
    spread.style.left = `${place(column.low)}%`;
    spread.style.width = `${place(column.high) - place(column.low)}%`;
    const zero = make("span", "zero");
    zero.style.left = `${place(0)}%`;
    track.append(fill, spread, zero);
    return track;
  };
  const rows = columns.map((column) => {
    const button = make("button", column.clear ? "" : "unclear");
    button.type = "button";
    button.title = column.words;
    button.setAttribute("aria-pressed", column.number === chosen);
    button.append(make("span", "name", column.name), bar(column), make("span", "loss", column.said), make("span", "where", column.where));
    button.addEventListener("click", () => setTriggerValue("chosen", column.number === chosen ? -1 : column.number));
    return button;
  });
  const had = [...root.children].indexOf(root.getRootNode().activeElement);
  root.replaceChildren(...rows);
  if (had >= 0) root.children[had]?.focus({ preventScroll: true });
}
