// The tree in a notebook: the picture of the app, with a panel of its own.

const { texts, numbers, themes, head, points } = content;
// Beside its panel the picture is narrower than where the app would begin with a list.
const view = new TreeView(document.querySelector(".tree-view"), () => innerWidth > 640);
view.send = showNode;

// The way from the root to a node: what is asked, how many rows are left, what they say.
function showNode(node) {
  const { data } = view.state, isLeaf = view.state.isLeaf(node), path = view.state.path(node);
  const title = `${percent(data.answer[node])} ${outcomeTitle(data)}`;
  const about = `Node ${node}: ${countsText(data, node)} rows${isLeaf ? "" : `; the answer is ${data.answerWords}`}`;
  const parts = isLeaf ? points[node] : undefined;
  const rows = path.map((at, depth) => [
    data.title[at], countsText(data, at, false), percent(data.answer[at]),
    ...(parts ? [(100 * parts[depth]).toFixed(2)] : []),
  ]);
  if (parts && Math.abs(parts[path.length]) >= 5e-6) {
    rows.push(["all else", "", "", (100 * parts[path.length]).toFixed(2)]);
  }
  const names = ["", "rows", "answer", ...(parts ? ["adds, points"] : [])];
  panel.replaceChildren(element("h2", title), element("p", about), tableOf(names, rows));
}

inTheme((theme) => {
  view.update({ ...texts, ...numbers, ...themes[theme], ...head });
  showNode(view.state.selected);
});
