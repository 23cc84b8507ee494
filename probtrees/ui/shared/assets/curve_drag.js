// The marker of a curve can be dragged: a what-if. Python draws the charts; here a line follows the
// pointer over one of them, and Python is told where it is let go.

export default function ({ setTriggerValue }) {
  let held = null;
  const move = (event) => {
    if (!held) return;
    const box = held.image.getBoundingClientRect(), { low, high, left } = held.figure.dataset;
    const start = box.left + box.width * Number(left), wide = box.right - start;
    const share = Math.min(Math.max((event.clientX - start) / wide, 0), 1);
    // In steps of about a hundredth: 63, not 63.218.
    const reach = Number(high) - Number(low), step = 10 ** Math.round(Math.log10(reach / 100));
    held.value = Number((Math.round((Number(low) + share * reach) / step) * step).toPrecision(12));
    Object.assign(held.line.style, { left: `${start + share * wide}px`, top: `${box.top}px`, height: `${box.height}px` });
    held.line.textContent = held.value;
  };
  const down = (event) => {
    const image = event.target.closest?.("figure[data-shape] img");
    if (!image || event.button > 0) return;
    event.preventDefault();
    const line = document.createElement("div");
    line.style.cssText = "position:fixed;border-left:2px solid #e69f00;padding-left:4px;pointer-events:none;font:600 12px sans-serif;z-index:1000";
    document.body.append(line);
    held = { image, figure: image.closest("figure"), line };
    move(event);
  };
  const up = () => {
    if (!held) return;
    const { figure, line, value } = held;
    held = null;
    line.remove();
    setTriggerValue("moved", { column: figure.dataset.shape, value });
  };
  const watched = { pointerdown: down, pointermove: move, pointerup: up, pointercancel: up };
  for (const [name, react] of Object.entries(watched)) document.addEventListener(name, react);
  return () => {
    for (const [name, react] of Object.entries(watched)) document.removeEventListener(name, react);
    held?.line.remove();
  };
}
