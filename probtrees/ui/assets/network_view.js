// Shows a network drawn by Graphviz; a click or Enter on a column chooses it.
const LEGIBLE = 0.62; // the smallest share of its natural size at which labels can be read

export default function ({ data, parentElement, setTriggerValue }) {
  const place = parentElement.querySelector(".network");
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
    picture.style.minWidth = `${Math.min(width, Math.max(width * LEGIBLE, 0))}px`;
  }
  const { scrollLeft, scrollTop } = place;
  place.replaceChildren(picture);
  place.scrollTo(scrollLeft, scrollTop);
  for (const node of picture.querySelectorAll("g.node")) {
    const column = Number((node.id || "").replace("column-", ""));
    if (!Number.isInteger(column)) continue;
    const choose = () => setTriggerValue("column", column);
    node.style.cursor = "pointer";
    node.setAttribute("tabindex", "0");
    node.setAttribute("role", "button");
    node.addEventListener("click", choose);
    node.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(); }
    });
  }
}
