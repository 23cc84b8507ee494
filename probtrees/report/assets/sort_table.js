// A click on a column's head sorts the table by it: numbers as numbers, texts as texts.
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
  const worth = (row, at) => {
    const text = row.cells[at].textContent, number = text.match(/^[<>]?\s*([\d,.]+)/);
    return number ? parseFloat(number[1].replace(/,/g, "")) : text;
  };
  const sort = (head, at) => {
    const up = head.getAttribute("aria-sort") === "descending";
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const order = (a, b) => {
      const x = worth(a, at), y = worth(b, at);
      if (typeof x !== typeof y) return typeof x === "number" ? -1 : 1;
      return (x < y ? -1 : x > y ? 1 : 0) * (up ? 1 : -1);
    };
    body.append(...[...body.rows].sort(order));
  };
  heads.forEach((head, at) => {
    head.tabIndex = 0;
    head.onclick = () => sort(head, at);
    head.onkeydown = (event) => { if (event.key === "Enter") sort(head, at); };
  });
}
