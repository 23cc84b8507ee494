// What is known of a step now: the numbers of its sentences, from the counts on show, from what was
// sampled, and from what was guessed.

// The counts of the steps before, where they are a sample of the world on show; null: they are not.
function ownSample({ subject, now }) {
  const at = 2 * subject.ends.indexOf(subject.leaf);
  return now.world === "own" && Math.round(now.counts[at] + now.counts[at + 1]) === now.leaf_rows ? now.counts : null;
}

// The sample on show: at first the counts that one knows, so that no number changes without being asked to.
function isOwnSample(view) { return view.sampleShown === 0 && ownSample(view) !== null; }
function sampleNumber(view) { return (view.sampleShown - (ownSample(view) ? 1 : 0)) % REPEATS; }
function sampleOfWorld(view) { return isOwnSample(view) ? ownSample(view) : view.samples()[sampleNumber(view)]; }

// The truth of the leaf where it is known: that of the ward.
function knownTruth({ subject, step }) { return subject.source === "ward" && step.name !== "network" ? subject.usual.truth : null; }

function gatherFacts(view) {
  const { results, tree, leaf, now, shape } = view, { name } = view.step, holder = withRows(tree, leaf), up = Math.max(tree.parent[leaf], 0);
  const facts = { ...lessonFacts(tree, leaf, now), outcome: shape.outcome, repeats: REPEATS, parentName: shape.names[up], holderName: shape.names[holder],
    holder: holder === leaf || !(tree.rows[0] > 0) ? "the leaf" : `“${shape.names[holder]}” (the leaf is empty)` };
  if (name === "branch") Object.assign(facts, walkFacts(view));
  if (name === "restaurant") Object.assign(facts, { seated: view.seated?.p[leaf], seatedParent: view.seated?.p[up] });
  if (name === "gibbs" && view.sweepsSoFar() > 0) Object.assign(facts, gibbsFacts(results.gibbs, view.lesson.burn, view.sweepsSoFar()));
  if (name === "hgs" && tree.outcomes === 2 && view.lesson.told) facts.bestWeight = view.once("bestWeight", () => bestWeight(tree), [tree.cases, tree.rows]);
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
  const { shape, lesson, results } = view;
  return { cell: `“${CELLS[lesson.cell]}”`, order: shape.columns.join(", "), firstColumn: shape.columns[0], nextColumn: shape.columns[1],
    exact: shape.exact[lesson.cell], ...(results.table ? { hdpTable: results.table[lesson.cell] } : {}) };
}

// Why the truth of the leaf on show is what it is: nobody knows that of one's own.
function truthWords(view) {
  const { subject } = view, { leaf, usual } = subject, counts = countsOf(subject, view.lesson);
  const { cases, rows } = treeOf(subject.parent, subject.ends, counts, subject.outcomes);
  const seen = [Math.round(cases[leaf]), Math.round(rows[leaf])], like = ` With it, the rows that you have (${countText(seen[0])} of ${countText(seen[1])}) come up in ${percent(chanceOfSample(...seen, view.now.truth))} of all samples.`;
  if (subject.source === "ward") return `The truth is known: ${percent(usual.truth)} among ${countText(WARD.large)} patients of the same ward${view.lesson.truth ? "; you try another" : ""}.${like}`;
  if (view.lesson.truth) return `Nobody knows the truth of this leaf; this one is what you have set, here or by your guess in step 1.${like}`;
  if (subject.editable) return `Nobody knows the truth of this leaf; ${percent(usual.truth)} is an example.${like}`;
  return `Nobody knows the truth of this leaf. Until you set another it is what Laplace makes of its parent's rows, which favours methods that listen to the parent.${like}`;
}

function whyThisTruth(view) {
  const words = element("p", { class: "fine" });
  view.onSync(() => setText(words, truthWords(view)));
  return words;
}

function judged(view) {
  const { shape, results, now, step } = view;
  return verdict({ ...shape, ...results.world }, view.shape.truth, now).map((row) => ({ ...row, label: step.guess.options[row.name] }));
}

function verdictFacts(view, rows) {
  const truth = view.shape.truth, known = { worldTruth: truth, methods: Object.keys(view.step.guess.options).length };
  if (!rows) return known;
  const { shape, results } = view, [best] = rows, raw = rows.find((row) => row.name === "mle"), level = rows.filter((row) => !isBetter(best, row)).map(({ label }) => label);
  return { ...known, best: best.label, closest: level.length > 1 ? `${level.slice(0, -1).join(", ")} and ${level.at(-1)}, level` : best.label, hdpSure: rows.find((row) => row.name === "hdp").sure, bestError: best.error, bestErrorPoints: best.error * 100, bestBias: best.bias, bestSpread: best.spread,
    rawError: raw.error, rawBias: raw.bias, rawSpread: raw.spread, hdp: isOwnSample(view) ? results.world.own : results.world.hdp[sampleNumber(view)],
    reason: verdictReason({ ...shape, ...results.world }, rows, truth) };
}

// What becomes of a guess of the truth: where nobody knows it, how likely the leaf would be.
function truthOfGuess(view, guess, { cases, rows }) {
  const known = knownTruth(view), off = known === null ? 0 : Math.abs(guess - known);
  if (known !== null) return `${pointsText(off)} from the truth of ${percent(known)}, the share among ${countText(WARD.large)} patients of the same ward.`;
  return `nobody knows the truth of this leaf. If it is this, a leaf like this one (${countText(cases)} of ${countText(rows)}) comes up in ${percent(chanceOfSample(Math.round(cases), Math.round(rows), guess))} of all samples.`;
}

function guessFacts(view, facts, verdictRows) {
  const { step } = view, guess = view.guesses[step.name], answer = facts[step.guess.answer];
  if (guess === undefined) return {};
  if (typeof guess === "number") {
    return { guess, judged: truthOfGuess(view, guess, facts), ...(Number.isFinite(answer) ? { off: Math.abs(guess - answer) } : {}) };
  }
  const row = verdictRows?.find(({ name }) => name === guess);
  return { choice: step.guess.options[guess], ...(row ? { place: 1 + verdictRows.filter((other) => isBetter(other, row)).length, choiceError: row.error } : {}) };
}
