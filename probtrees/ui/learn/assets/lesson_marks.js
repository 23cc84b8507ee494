// What the live picture shows of a step: the marks on its axis, the notes under its nodes, and the
// symbol that is pointed at.

const ESTIMATES = { raw: ["mle"], constant: ["mle", "laplace", "mEstimate"], branch: ["laplace", "backOff", "interpolated", "mBranch"], dirichlet: ["mBranch", "dirichlet"],
  restaurant: ["dirichlet"], gibbs: ["laplace", "mBranch", "hdp"], hgs: ["mBranch", "hdp", "hgs"], verdict: ["mle", "laplace", "mEstimate", "mBranch", "dirichlet", "hdp", "hgs"],
  network: ["mle", "laplace", "mBranch", "dirichlet", "hdpTable", "hgs"] };
const NAMES = { mle: "raw share", laplace: "Laplace", mEstimate: "m-estimate", backOff: "back-off", interpolated: "interpolation", mBranch: "M-branch", walkEnd: "M-branch", dirichlet: "Dirichlet", hdp: "HDP", hdpTable: "HDP", hgs: "HGS" };
// The estimate that a step is about.
const MAIN = { raw: "mle", constant: "mEstimate", branch: "mBranch", dirichlet: "dirichlet", restaurant: "dirichlet", gibbs: "hdp", hgs: "hgs", verdict: "", network: "hdpTable" };

function axisMarks(view) {
  const { facts, step, lesson } = view, { name } = step;
  const seen = [["seenLeaf", "leaf", facts.seen, "n_k n"], ["seenParent", "parent", facts.seenParent, "n_ak n_a"], ["seenAll", "all", facts.seenAll, "n_ak n_a"]]
    .map(([key, label, value, symbol]) => ({ name: key, label, value, symbol, kind: "seen" }));
// On its walk from the root, M-branch stands where it has come to.
  const walks = name === "branch" && facts.walkEnd === undefined;
// An empty leaf has no raw share; in the step about it the nearest ancestor that has rows answers.
  const isEmpty = !(facts.rows > 0), labels = { ...NAMES, ...(walks ? { mBranch: "M-branch so far" } : {}), ...(isEmpty ? { mle: "nearest ancestor" } : {}) };
  const said = ESTIMATES[name].filter((key) => key !== "mle" || name === "raw" || !isEmpty);
  const estimates = lesson.told ? said.map((key) => ({ name: key, label: labels[key], value: walks && key === "mBranch" ? facts.walkNow : facts[key],
    kind: key === MAIN[name] ? "estimate main" : "estimate", symbol: key === MAIN[name] ? "p" : "" })) : [];
  const truth = name === "verdict" && lesson.told ? [{ name: "truth", label: "truth", value: facts.worldTruth, kind: "truth", symbol: "θ" }] : [];
  const guess = facts.guess !== undefined && step.guess.is_chance ? [{ name: "guess", label: "you", value: facts.guess, kind: "guess" }] : [];
  return [...seen, ...estimates, ...truth, ...guess];
}

// What stands under the counts of a node: how strongly it is pulled, and what comes out.
function treeNotes(view) {
  const { step, lesson, tree, leaf } = view;
  if (!lesson.told) return null;
  const walk = () => dirichletSteps(tree, leaf, concentrationOf(tree, view.now)).map(({ node, c, p }) => [node, `c ${roughly(c)} → ${percent(p)}`]);
  const along = { branch: () => mBranchSteps(tree, leaf, lesson.branch).slice(0, view.walkedNodes()).map(({ node, m, p }) => [node, `m ${roughly(m)} → ${percent(p)}`]),
    dirichlet: walk, network: walk,
    hgs: () => pathTo(tree, withRows(tree, leaf)).slice(0, -1).map((node) => [node, `w ${roughly(lesson.weight)} × ${percent(observed(tree, node))}`]) }[step.name];
  return along ? Object.fromEntries(along()) : null;
}

// Pointing at a symbol lights it everywhere: in formulas, legend, tree and axis.
function lightSymbols(root, event) {
  const pointed = event.target.closest?.("math [data-symbol], dt[data-symbol], td[data-symbol], .counts [data-symbol]")?.dataset.symbol ?? "";
  const symbols = new Set(pointed.split(" ").filter(Boolean));
  for (const one of root.querySelectorAll("[data-symbol]")) one.classList.toggle("lit", (one.dataset.symbol || "").split(" ").some((symbol) => symbols.has(symbol)));
}
