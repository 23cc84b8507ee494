// The tree in a notebook: the picture of the app, with a panel of its own. Nothing is asked outside.
// Text from the data is only ever drawn on the canvas or set as textContent, never parsed as HTML.

const packed = document.getElementById("tree").textContent;
const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
const { texts, numbers, themes, head, points } = JSON.parse(await new Response(unpacked).text());

// A notebook has a theme of its own and says which; a file follows the system.
const given = document.documentElement.dataset.theme;
const dark = matchMedia("(prefers-color-scheme: dark)");
const panel = document.querySelector(".panel");
document.body.classList.add("alive");
const view = new TreeView(document.querySelector(".tree-view"));
view.send = showNode;

function paint() {
  const theme = given ?? (dark.matches ? "dark" : "light");
  document.documentElement.dataset.theme = theme;
  view.update({ ...texts, ...numbers, ...themes[theme], ...head });
  showNode(view.state.selected);
}

function cell(row, text, kind = "td") {
  const made = document.createElement(kind);
  made.textContent = text;
  row.append(made);
}

// The way from the root to a node: what is asked, how many rows are left, what they say.
function showNode(node) {
  const { data } = view.state, isLeaf = view.state.isLeaf(node), path = view.state.path(node);
  const title = document.createElement("h2"), table = document.createElement("table");
  title.textContent = `${percent(isLeaf ? data.answer[node] : data.p[node])} ${data.outcome}`;
  const about = document.createElement("p");
  about.textContent = `Node ${node}: ${countsText(data, node)} rows${isLeaf ? "" : ", observed"}`;
  const parts = isLeaf ? points[node] : undefined;
  const names = ["", "rows", "answer", ...(parts ? ["adds, points"] : [])];
  const top = document.createElement("tr");
  for (const name of names) cell(top, name, "th");
  table.append(top);
  path.forEach((at, depth) => {
    const row = document.createElement("tr");
    cell(row, data.title[at]);
    cell(row, countsText(data, at, false));
    cell(row, percent(data.answer[at]));
    if (parts) cell(row, (100 * parts[depth]).toFixed(2));
    table.append(row);
  });
  if (parts && Math.abs(parts[path.length]) >= 5e-6) {
    const row = document.createElement("tr");
    for (const text of ["all else", "", "", (100 * parts[path.length]).toFixed(2)]) cell(row, text);
    table.append(row);
  }
  panel.replaceChildren(title, about, table);
}

dark.addEventListener("change", paint);
paint();
