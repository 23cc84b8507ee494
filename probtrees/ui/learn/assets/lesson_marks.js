// What the live picture shows of a step: the marks on its axis, the notes under its nodes, and the
// symbol that is pointed at.

const ESTIMATES = { raw: ["mle"], constant: ["mle", "laplace", "mEstimate"], branch: ["laplace", "mBranch"], dirichlet: ["mBranch", "dirichlet"],
  restaurant: ["seated"], gibbs: ["laplace", "mBranch", "hdp"], hgs: ["laplace", "mBranch", "hgs"], verdict: ["mle", "laplace", "mEstimate", "mBranch", "dirichlet", "hdp", "hgs"],
  network: ["mle", "laplace", "mBranch", "dirichlet", "hdpTable", "hgs"] };
const NAMES = { mle: "raw share", laplace: "Laplace", mEstimate: "m-estimate", mBranch: "M-branch", walkEnd: "M-branch", dirichlet: "Dirichlet", seated: "this seating", hdp: "HDP", hdpTable: "HDP", hgs: "HGS" };
// The estimate that a step is about.
const MAIN = { raw: "mle", constant: "mEstimate", branch: "mBranch", dirichlet: "dirichlet", restaurant: "seated", gibbs: "hdp", hgs: "hgs", verdict: "", network: "hdpTable" };

function axisMarks(view) {
  const { facts, step, lesson } = view, { name } = step;
  const seen = [["seenLeaf", "leaf", facts.seen, "n_k n"], ["seenParent", "parent", facts.seenParent, "p_a"], ["seenAll", "all", facts.seenAll, "p_a"]]
    .map(([key, label, value, symbol]) => ({ name: key, label, value, symbol, kind: "seen" }));
// On its walk from the root, M-branch stands where it has come to.
  const walks = name === "branch" && facts.walkEnd === undefined;
// An empty leaf has no raw share; in the step about it the nearest ancestor that has rows answers.
  const isEmpty = !(facts.rows > 0), labels = { ...NAMES, ...(name === "gibbs" && view.isScrubbed() ? { hdp: `mean of ${countText(facts.kept ?? 0)} sweeps` } : {}), ...(walks ? { mBranch: "M-branch so far" } : {}), ...(isEmpty ? { mle: "nearest ancestor" } : {}) };
  const said = ESTIMATES[name].filter((key) => key !== "mle" || name === "raw" || !isEmpty);
  const estimates = lesson.told ? said.map((key) => ({ name: key, label: labels[key], value: walks && key === "mBranch" ? facts.walkNow : facts[key],
    kind: key === MAIN[name] ? "estimate main" : "estimate", symbol: key === MAIN[name] ? "p" : "" })) : [];
  const known = name === "verdict" ? facts.worldTruth : name === "network" ? null : knownTruth(view);
  const truth = lesson.told && known !== null ? [{ name: "truth", label: "truth", value: known, kind: "truth", symbol: "θ" }] : [];
  const guess = facts.guess !== undefined && step.guess.is_chance !== false ? [{ name: "guess", label: "you", value: facts.guess, kind: "guess" }] : [];
  return [...seen, ...estimates, ...truth, ...guess];
}

// What stands under the counts of a node: how strongly it is pulled, and what comes out.
function treeNotes(view) {
  const { step, lesson, tree, leaf } = view;
  if (!lesson.told) return null;
  const walk = () => dirichletSteps(tree, leaf, concentrationOf(tree, view.now)).map(({ node, c, p }) => [node, `c ${roughly(c)} → ${percent(p)}`]);
  const all = (chances) => chances.map((p, node) => [node, node === 0 ? percent(p) : `→ ${percent(p)}`]);
  const along = { branch: () => mBranchSteps(tree, leaf, lesson.branch).slice(0, view.walkedNodes()).map(({ node, m, p }) => [node, `m ${roughly(m)} → ${percent(p)}`]),
    dirichlet: () => all(view.chainEstimates()), network: walk,
    gibbs: () => view.sweepOnShow()?.seen.map(({ guests, tables, p }, i) => [view.path[i], i === 0 ? `→ ${percent(p)}` : `${guests[0]} + ${sumOf(guests) - guests[0]} at ${sumOf(tables)} ${sumOf(tables) === 1 ? "table" : "tables"} → ${percent(p)}`]) ?? [],
    restaurant: () => all(view.seated?.p ?? []),
    hgs: () => pathTo(tree, withRows(tree, leaf)).slice(0, -1).map((node) => [node, `w ${roughly(lesson.weight)} × ${percent(observed(tree, node))}`]) }[step.name];
  return along ? Object.fromEntries(along()) : null;
}

// Which of many the tree shows, where there are many.
function captionOf(view) {
  const { step: { name }, lesson, results } = view, total = results.gibbs?.p.length, upTo = view.sweepsSoFar();
  if (!lesson.told) return "";
  if (name === "gibbs" && total) return `Sweep ${countText(upTo)} of ${countText(total)}, c = ${roughly(results.gibbs.c[upTo - 1])}${upTo <= gibbsFacts(results.gibbs, lesson.burn, upTo).from ? ": burn-in, not averaged" : ""}`;
  if (name === "verdict") return isOwnSample(view) ? "The counts of the other steps" : `Sample ${sampleNumber(view) + 1} of ${REPEATS}`;
  return name === "branch" && view.walkedNodes() < view.path.length ? "The walk so far" : "";
}

const sumOf = (list) => list.reduce((sum, one) => sum + one, 0);

// Where the estimate of every node stands in its bar, while the step is about the whole tree.
function treeEstimates(view) {
  const { step: { name }, lesson, tree } = view;
  if (!lesson.told) return null;
  if (name === "dirichlet" || name === "network") return view.chainEstimates();
  if (name === "restaurant") return view.seated?.p ?? null;
  if (name === "gibbs") { const p = tree.parent.map(() => null); view.sweepOnShow()?.seen.forEach((one, i) => { p[view.path[i]] = one.p; }); return p; }
  return null;
}

// Pointing at a symbol lights it everywhere: in formulas, legend, tree and axis.
function lightSymbols(root, event) {
  const pointed = event.target.closest?.("math [data-symbol], dt[data-symbol], td[data-symbol], .counts [data-symbol]")?.dataset.symbol ?? "";
  const symbols = new Set(pointed.split(" ").filter(Boolean));
  for (const one of root.querySelectorAll("[data-symbol]")) one.classList.toggle("lit", (one.dataset.symbol || "").split(" ").some((symbol) => symbols.has(symbol)));
}
