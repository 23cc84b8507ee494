// Charts take the colours of the page: when it opens, when the reader changes them, on paper.
(() => {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const paint = (onPaper) => {
    const colours = getComputedStyle(document.documentElement);
    const text = onPaper ? "#1a1f2b" : colours.getPropertyValue("--text").trim();
    const grid = onPaper ? "#e6e8ec" : colours.getPropertyValue("--card").trim();
    for (const chart of document.querySelectorAll(".js-plotly-plot")) {
      Plotly.relayout(chart, {
        "font.color": text,
        "xaxis.gridcolor": grid,
        "yaxis.gridcolor": grid,
      });
    }
  };
  addEventListener("load", () => paint(false));
  dark.addEventListener("change", () => paint(false));
  addEventListener("beforeprint", () => paint(true));
  addEventListener("afterprint", () => paint(false));
})();
