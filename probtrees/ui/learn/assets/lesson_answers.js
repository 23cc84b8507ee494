// What is known of a step now: the numbers of its sentences, from the counts on show, from what the
// server has found, and from what was guessed.

// A sample of the world: the first one while one guesses, and the same once the answer is shown.
function sampleOfWorld(view) {
  const { shape, now, results } = view, drawn = results.world?.counts, { luck } = view.data.trees;
  if (drawn) return drawn[view.sampleShown % drawn.length];
  view.sampleShown = 0;
  const cases = luck.slice(0, now.leaf_rows).filter((one) => one < (now.world === "own" ? now.truth : shape.truth)).length;
  const at = 2 * shape.ends.indexOf(shape.leaf);
  return shape.first.map((count, i) => (i === at ? cases : i === at + 1 ? now.leaf_rows - cases : count));
}

function gatherFacts(view) {
  const { results, tree, leaf, now, shape, data } = view, { name } = view.step, holder = withRows(tree, leaf), up = Math.max(tree.parent[leaf], 0);
  const facts = { ...lessonFacts(tree, leaf, now), outcome: shape.outcome, repeats: data.repeats, parentName: shape.names[up], holderName: shape.names[holder],
    holder: holder === leaf || !(tree.rows[0] > 0) ? "the leaf" : `“${shape.names[holder]}” (the leaf is empty)` };
  if (name === "branch") Object.assign(facts, walkFacts(view));
  if (view.sampled && ["gibbs", "hgs"].includes(name)) Object.assign(facts, gibbsFacts(view.sampled, view.lesson.burn));
  if (name === "network") Object.assign(facts, tableFacts(view));
  const verdictRows = name === "verdict" && results.world ? judged(view) : null;
  if (name === "verdict") Object.assign(facts, verdictFacts(view, verdictRows));
  return { facts: { ...facts, ...guessFacts(view, facts, verdictRows) }, verdictRows };
}

// Where M-branch has come to; where it ends is known once it is there.
function walkFacts(view) {
  const walk = mBranchSteps(view.tree, view.leaf, view.lesson.branch), walked = view.walkedNodes();
  return { walkNow: walk[walked - 1].p, walkEnd: walked === walk.length ? walk.at(-1).p : undefined };
}

function tableFacts(view) {
  const { shape, lesson, results, data } = view;
  return { cell: `“${data.cells[lesson.cell]}”`, order: shape.columns.join(", "), firstColumn: shape.columns[0], nextColumn: shape.columns[1],
    exact: shape.exact[lesson.cell], ...(results.table ? { hdpTable: results.table[lesson.order][lesson.cell] } : {}) };
}

function worldTruth(view) { return view.now.world === "own" ? view.now.truth : view.shape.truth; }

// Why the truth of the reader's own leaf is what it is: nobody knows it.
function truthWords(view) {
  const { trees: { subject } } = view.data, { leaf, usual } = subject;
  const { cases, rows, outcomes } = treeOf(subject.parent, subject.ends, subject.counts ?? view.lesson.counts, subject.outcomes), up = Math.max(subject.parent[leaf], 0);
  const seen = [Math.round(cases[leaf]), Math.round(rows[leaf])], like = ` With it, the rows that you have (${countText(seen[0])} of ${countText(seen[1])}) come up in ${percent(chanceOfSample(...seen, view.now.truth))} of all samples.`;
  if (view.lesson.truth) return `Nobody knows the truth of this leaf; this one is what you have set, here or by your guess in step 1.${like}`;
  if (subject.editable) return `Nobody knows the truth of this leaf; ${percent(usual.truth)} is an example.${like}`;
  return `Nobody knows the truth of this leaf. Until you set another it is what Laplace makes of its parent's rows, (${countText(cases[up])} + 1)/(${countText(rows[up])} + ${outcomes}), rounded: that favours methods that listen to the parent.${like}`;
}

function whyThisTruth(view) {
  const words = element("p", { class: "fine" });
  view.onSync(() => setText(words, truthWords(view)));
  return words;
}

function judged(view) {
  const { shape, results, now, step } = view;
  return verdict({ ...shape, ...results.world }, worldTruth(view), now).map((row) => ({ ...row, label: step.guess.options[row.name] }));
}

function verdictFacts(view, rows) {
  const truth = worldTruth(view), known = { worldTruth: truth, methods: Object.keys(view.step.guess.options).length };
  if (!rows) return known;
  const { shape, results, sampleShown } = view, [best] = rows, raw = rows.find((row) => row.name === "mle");
  return { ...known, best: best.label, bestError: best.error, bestErrorPoints: best.error * 100, bestBias: best.bias, bestSpread: best.spread,
    rawError: raw.error, rawBias: raw.bias, rawSpread: raw.spread, hdp: results.world.hdp[sampleShown % results.world.hdp.length],
    reason: verdictReason({ ...shape, ...results.world }, rows, truth) };
}

function guessFacts(view, facts, verdictRows) {
  const { step } = view, guess = view.guesses[step.name], answer = facts[step.guess.answer];
  if (guess === undefined) return {};
  if (typeof guess === "number") {
    return { guess, likeThis: chanceOfSample(Math.round(facts.cases), Math.round(facts.rows), guess), ...(Number.isFinite(answer) ? { off: Math.abs(guess - answer) } : {}) };
  }
  const place = verdictRows?.findIndex((row) => row.name === guess) ?? -1;
  return { choice: step.guess.options[guess], ...(place < 0 ? {} : { place: place + 1, choiceError: verdictRows[place].error }) };
}
