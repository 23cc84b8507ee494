// The words of a step: what is asked, and after a guess the explanation, with formulas,
// legend, controls, pictures and an exercise.

function guessWords(view) {
  const { step } = view, clue = element("p", { class: "clue" }), isChoice = Boolean(step.guess.options);
  view.onSync(() => { clue.textContent = fillWords(step.clue, view.facts); });
  const choose = step.name === "verdict" || step.name === "network" ? PANELS[step.name](view).beforehand : [];
  const words = isChoice ? "Nobody sees it; it is judged with the answer." : "Nobody sees it; it is compared with the answer.";
  return [clue, ...choose, isChoice ? choiceBox(view) : guessSlider(view), element("p", { class: "fine", text: words })];
}

function guessSlider(view) {
  const { step } = view, shown = element("output", {}), before = view.guesses[step.name];
  const input = element("input", { type: "range", min: 0, max: 100, step: 1, value: before === undefined ? 50 : before * 100, "aria-label": "Your guess" });
// A click on the middle, where the slider stands, moves nothing and still means 50 %.
  for (const name of ["input", "click", "keyup"]) input.addEventListener(name, (event) => { if (event.key !== "Tab") view.guess(Number(input.value) / 100); });
  unlessSwiped(input, () => view.guesses[step.name], (guess) => { view.guess(guess); input.value = guess === undefined ? 50 : guess * 100; });
  view.onSync(() => {
    const guess = view.guesses[step.name];
    shown.textContent = guess === undefined ? "no guess yet" : percent(guess);
    input.classList.toggle("untouched", guess === undefined);
  });
  return element("label", { class: "slider guess" }, element("span", { text: "Guess first" }), input, shown);
}

function choiceBox(view) {
  const { step } = view, buttons = Object.entries(step.guess.options).map(([name, label]) => button(label, () => view.guess(name), { "data-value": name }));
  view.onSync(() => { for (const one of buttons) one.setAttribute("aria-pressed", one.dataset.value === view.guesses[step.name]); });
  return element("div", { class: "chooser guess", role: "group", "aria-label": "Your guess" }, element("span", { text: "Guess first" }), ...buttons);
}

function explanationWords(view) {
  const { step } = view, explanation = step.explanation.map(() => element("p", {})), guess = element("p", { class: "guessed" });
  const details = (step.details ?? []).map(() => element("p", {})), drawn = element("div", { class: "drawn" });
  const wait = element("p", { class: "wait", role: "status", text: "Sampling …" }), panel = PANELS[step.name](view);
  view.onSync(() => {
    hide(wait, !view.isWaiting);
    if (view.isTurn(1)) {
      explanationSentences(step, view.tree, view.leaf).forEach((words, i) => tellWords(explanation[i], words, view.facts));
      details.forEach((one, i) => tellWords(one, step.details[i], view.facts));
      setText(guess, guessJudged(view));
    }
    const key = panel.key?.();
    if (!view.isTurn(panel.turn ?? 0)) return;
    if (key === undefined || key !== drawn.key) {
      const parts = panel.draw();
      if (parts.length !== drawn.childElementCount || parts.some((part, i) => part !== drawn.children[i])) drawn.replaceChildren(...parts);
    }
    drawn.key = key;
  });
  return [guess, ...explanation, wait, element("div", { class: "hands" }, element("div", { class: "controls" }, ...panel.controls), drawn), ...(panel.beside ? [panel.beside] : []), element("p", { class: "takeaway", text: step.takeaway }),
    element("div", { class: "formula" }, formulaBox(view), legendOf(view)), exerciseBox(view, step.exercise),
    ...detailsBox(view, [...details, element("p", { class: "sources", text: `Sources: ${step.sources.join("; ")}.` })], panel.more)];
}

// A sentence stays away until all of its numbers are known.
function tellWords(one, words, facts) {
  const filled = fillWords(words, facts);
  setText(one, filled);
  hide(one, !filled || filled.includes("…"));
}

// What only some readers ask for: settings, caveats, losses.
function detailsBox(view, words, controls = []) {
  return words.length + controls.length ? [element("details", { class: "more", }, element("summary", { text: "The details" }), ...words, ...controls)] : [];
}

function legendOf(view) {
  const lines = Object.entries(view.step.symbols).map(([symbol, words]) => [element("dt", { "data-symbol": symbol, tabindex: 0 }, formulaElement(symbol)), element("dd", {}), words]);
  view.onSync(() => { if (view.isTurn(1)) for (const [, shown, words] of lines) setText(shown, fillWords(words, view.facts)); });
  return element("dl", { class: "legend" }, ...lines.flatMap(([symbol, shown]) => [symbol, shown]));
}

function guessJudged(view) {
  const { facts, step } = view, filled = fillWords(step.guess.said, facts);
  if (facts.guess === undefined && facts.choice === undefined) return "";
  if (!filled.includes("…") && !filled.includes("undefined")) return filled;
  return facts.choice === undefined ? fillWords("Your guess: {guess%}.", facts) : `Your choice: ${facts.choice}.`;
}

// Each formula in symbols, which stay, and with the reader's numbers. Setting type is the dearest
// part of a frame, so a line is set again only if one of its numbers has changed.
function formulaBox(view) {
  const note = element("p", { class: "fine", hidden: true, text: "The leaf is empty: the nearest ancestor that has rows answers." }), filled = element("div", {});
  view.onSync(() => {
    if (!view.isTurn(2)) return;
    const lines = filledLines(view).filter(([, , result]) => result !== undefined), key = JSON.stringify(lines);
    hide(note, withRows(view.tree, view.leaf) === view.leaf || !(view.tree.rows[0] > 0) || !["raw", "constant", "hgs"].includes(view.step.name));
    if (key === filled.key) return;
    filled.key = key;
    filled.replaceChildren(...lines.map(([text, values, result, words]) => element("div", { class: "filled" }, ...(words ? [element("small", { text: words })] : []), formulaElement(`${text} = ${result === null ? "undefined" : fourDigits(result)}`, values))));
  });
  return element("div", { class: "formulas" }, ...view.step.formulas.map((text) => formulaElement(text)), note, filled);
}

// Formula, numbers for its symbols, what comes out, and what it is called.
function filledLines(view) {
  const { step, tree, leaf, facts, lesson } = view, at = withRows(tree, leaf), [first] = step.formulas, even = fourDigits(facts.uniform);
  const own = { n_k: countText(tree.cases[at]), n: countText(tree.rows[at]) }, ofLeaf = { n_k: countText(facts.cases), n: countText(facts.rows), c: roughly(facts.c), q: fourDigits(facts.q) };
  return {
    raw: () => [[first, own, facts.mle]],
    branch: () => [branchLine(view)],
    constant: () => [[first, { ...own, m: String(facts.outcomes), b: even }, facts.laplace, "Laplace"], [first, { ...own, m: roughly(lesson.strength), b: even }, facts.mEstimate, "m-estimate"]],
    dirichlet: () => [[first, ofLeaf, facts.dirichlet]],
    restaurant: () => [[step.formulas[1], { ...ofLeaf, q: fourDigits(facts.seatedParent ?? 0) }, facts.seated, "the leaf, with this seating"]],
    gibbs: () => [[first, { S: countText(facts.kept ?? 0) }, facts.hdp]],
    hgs: () => [hgsLine(view, at, own)],
    verdict: () => [[first, { b: fourDigits(facts.bestBias ?? 0), s: fourDigits(facts.bestSpread ?? 0) }, facts.bestError, facts.best]],
    network: () => [["p = {n_k + c·q}/{n + c}", ofLeaf, facts.dirichlet]],
  }[step.name]?.() ?? [];
}

// The node that the walk has come to.
function branchLine(view) {
  const { tree, shape, lesson } = view, { node, m, q, p } = mBranchSteps(tree, view.leaf, lesson.branch)[view.walkedNodes() - 1];
  return [view.step.formulas[0], { n_k: countText(tree.cases[node]), n: countText(tree.rows[node]), m: roughly(m), q: fourDigits(q) }, p, shape.names[node]];
}

// Of a long path: the nearest ancestor and the root.
function hgsLine(view, at, own) {
  const { tree, lesson, facts } = view, ancestors = pathTo(tree, at).slice(0, -1).reverse();
  const shares = ancestors.map((a) => `w_a·${fourDigits(observed(tree, a))}`);
  const lent = shares.length > 2 ? [shares[0], "…", shares.at(-1)] : shares;
  return [`p = {n_k + ${lent.join(" + ") || "0"}}/{n + ${ancestors.length}·w_a}`, { ...own, w_a: roughly(lesson.weight) }, facts.hgs];
}

// How far off an answer may be: a little more than rounding.
const CLOSE = 0.1;

// A wrong answer says on which side it lies; the solution is shown when it is asked for.
function exerciseBox(view, { question, answer, solution }) {
  const asked = element("p", {}), input = element("input", { type: "text", inputmode: "decimal", "aria-label": "Your answer" }), verdictWords = element("span", { role: "status" });
  const solve = button("Show the solution", () => { setText(verdictWords, fillWords(solution, view.facts)); solve.hidden = true; input.focus(); }, { hidden: true });
  const check = () => {
    const value = numberOf(input.value), away = value - view.facts[answer], isRight = value !== null && Math.abs(away) <= CLOSE;
    solve.hidden = value === null || isRight;
    setText(verdictWords, value === null ? `“${input.value}” must be a number. Type one, like 12 or 2.5.`
      : isRight ? `Right. ${fillWords(solution, view.facts)}` : `Not quite: that is too ${away > 0 ? "many" : "few"}. Try again.`);
  };
  input.addEventListener("keydown", (event) => { if (event.key === "Enter") check(); });
  input.addEventListener("input", () => { setText(verdictWords, ""); solve.hidden = true; });
  const box = element("details", { class: "exercise" }, element("summary", { text: "Try it" }), asked, element("div", { class: "row" }, input, button("Check", check), verdictWords, solve));
  view.onSync(() => { if (view.isTurn(1)) { setText(asked, fillWords(question, view.facts)); hide(box, !view.facts[answer]); } });
  return box;
}
