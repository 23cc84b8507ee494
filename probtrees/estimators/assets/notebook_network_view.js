// The network in a notebook: the picture of the app, with the table of the chosen column beside it.

const { themes, tables } = content;
const view = new NetworkView(document.querySelector(".network-view"));
view.send = ({ column }) => showTable(column);

// Every context with its rows and the chances of the column's values there.
function showTable(column) {
  const { name, about, values, contexts, more } = tables[column];
  const rows = contexts.map(([words, n, chances]) => [words, n, ...chances]);
  const parts = [element("h2", name), element("p", about), tableOf(["", "rows", ...values], rows)];
  if (more) parts.push(element("p", more));
  panel.replaceChildren(...parts);
}

inTheme((theme) => {
  const selected = view.picture.data?.selected ?? content.selected;
  view.update({ ...themes[theme], selected, network: "network", remark: content.remark, arc: null });
  showTable(selected);
});
