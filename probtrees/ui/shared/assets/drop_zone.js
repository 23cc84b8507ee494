// Marks the page while a file is dragged over it. Elements inside the page are entered and left all
// the time, so these are counted.
export default function dropZone() {
  const marked = document.body.classList;
  let entered = 0;
  const holdsFiles = (event) => Array.from(event.dataTransfer?.types ?? []).includes("Files");
  const enter = (event) => {
    if (!holdsFiles(event)) return;
    entered += 1;
    marked.add("file-over-page");
  };
  const leave = (event) => {
    if (!holdsFiles(event)) return;
    entered = Math.max(0, entered - 1);
    if (entered === 0) marked.remove("file-over-page");
  };
  const end = () => {
    entered = 0;
    marked.remove("file-over-page");
  };
  const watched = { dragenter: enter, dragleave: leave, drop: end, dragend: end };
  for (const [name, react] of Object.entries(watched)) window.addEventListener(name, react, true);
  return () => {
    for (const [name, react] of Object.entries(watched)) window.removeEventListener(name, react, true);
    end();
  };
}
