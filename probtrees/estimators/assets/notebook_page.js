// A picture of the app in a page of its own: what it is made of, its theme, and a panel beside it.
// Text from the data is only ever drawn on the canvas or set as textContent, never parsed as HTML.

// A plain loop: Uint8Array.from calls a function for each of some hundred thousand letters.
const letters = atob(document.getElementById("content").textContent);
const bytes = new Uint8Array(letters.length);
for (let at = 0; at < letters.length; at++) bytes[at] = letters.charCodeAt(at);
const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
const content = JSON.parse(await new Response(unpacked).text());
const panel = document.querySelector(".panel");
document.body.classList.add("alive");

// A notebook has a theme of its own and says which; a file follows the system.
const given = document.documentElement.dataset.theme;
const dark = matchMedia("(prefers-color-scheme: dark)");

function inTheme(paint) {
  const show = () => {
    const theme = given ?? (dark.matches ? "dark" : "light");
    document.documentElement.dataset.theme = theme;
    paint(theme);
  };
  dark.addEventListener("change", show);
  show();
}

function element(kind, text) {
  const made = document.createElement(kind);
  made.textContent = text;
  return made;
}

function tableOf(names, rows) {
  const table = document.createElement("table");
  for (const [kind, cells] of [["th", names], ...rows.map((row) => ["td", row])]) {
    const line = document.createElement("tr");
    line.append(...cells.map((text) => element(kind, text)));
    table.append(line);
  }
  return table;
}
