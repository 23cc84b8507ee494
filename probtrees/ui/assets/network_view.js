// Shows a network drawn by Graphviz; a click or Enter on a column chooses it.
export default function ({ data, parentElement, setTriggerValue }) {
  const place = parentElement.querySelector(".network");
  const parsed = new DOMParser().parseFromString(data.svg, "image/svg+xml").documentElement;
  for (const script of parsed.querySelectorAll("script")) script.remove();
  const picture = document.importNode(parsed, true);
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", data.words);
  picture.removeAttribute("width");
  picture.removeAttribute("height");
  place.replaceChildren(picture);
  for (const node of picture.querySelectorAll("g.node")) {
    const column = Number((node.id || "").replace("column-", ""));
    if (!Number.isInteger(column)) continue;
    const choose = () => setTriggerValue("column", column);
    node.style.cursor = "pointer";
    node.setAttribute("tabindex", "0");
    node.addEventListener("click", choose);
    node.addEventListener("keydown", (event) => {
      if (event.key === "Enter") choose();
    });
  }
}
