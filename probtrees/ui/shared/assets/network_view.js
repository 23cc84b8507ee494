// Shows a network drawn by Graphviz; a click or Enter on a column chooses it.
const LEGIBLE = 0.6; // the smallest share of its natural size at which labels can be read

export default function ({ data, parentElement, setTriggerValue }) {
  const place = parentElement.querySelector(".network");
// Parsed as XML, not as HTML: nothing in it runs, and there should be no script in it anyway.
  const parsed = new DOMParser().parseFromString(data.svg, "image/svg+xml").documentElement;
  for (const script of parsed.querySelectorAll("script")) script.remove();
  const picture = document.importNode(parsed, true);
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", data.words);
  const width = parseFloat(picture.getAttribute("width")) * 4 / 3; // points to pixels
  picture.removeAttribute("width");
  picture.removeAttribute("height");
  if (width > 0) {
    picture.style.maxWidth = `${width}px`;
    picture.style.minWidth = `${width * LEGIBLE}px`;
  }
// A click draws the picture again; where the reader has scrolled to is kept.
  const { scrollLeft, scrollTop } = place;
  const isNew = place.dataset.network !== data.network;
  place.dataset.network = data.network;
  place.replaceChildren(picture);
  place.scrollTo(scrollLeft, scrollTop);
  if (isNew) showInside(place, picture.getElementById?.(`column-${data.column}`));
  for (const node of picture.querySelectorAll("g.node")) {
    const column = Number((node.id || "").replace("column-", ""));
    if (!Number.isInteger(column)) continue;
    const choose = () => setTriggerValue("column", column);
    centreText(node);
    node.style.cursor = "pointer";
    node.setAttribute("tabindex", "0");
    node.setAttribute("role", "button");
    node.addEventListener("click", choose);
    node.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(); }
    });
  }
}

// Graphviz guesses how wide text is and begins it at the left; the browser knows the width.
function centreText(node) {
  const card = node.querySelector("path, polygon")?.getBBox();
  if (!card || !card.width) return;
  for (const text of node.querySelectorAll("text")) {
    text.setAttribute("text-anchor", "middle");
    text.setAttribute("x", card.x + card.width / 2);
  }
}

// Scrolls the box around the picture, and nothing else, so that a node is in its middle.
function showInside(place, node) {
  if (!node) return;
  const [box, inside] = [place.getBoundingClientRect(), node.getBoundingClientRect()];
  place.scrollBy(
    inside.left + inside.width / 2 - box.left - box.width / 2,
    inside.top + inside.height / 2 - box.top - box.height / 2,
  );
}
