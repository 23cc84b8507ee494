// Step 8 as a game: nature draws a leaf, one sees its counts and chooses a method, then the truth is told
// and what is lost is kept score of. The truths take turns, each twice, and the samples are those of the
// seeds 1, 2, 3, ...: who wins was not picked.

const ROUNDS = 10;

function gameBox(view) {
  const game = view.game ??= { rounds: [], seed: 1, isJudged: false }, { options } = view.step.guess;
  const said = element("p", { role: "status" }), board = element("div", { class: "board" }), tree = new LessonTree(), line = new LessonAxis();
  const choose = element("div", { class: "row" }, ...Object.entries(options).map(([name, label]) => button(label, () => { playRound(view, game, name); game.isJudged = true; view.refresh(); }, { "data-value": name })));
  const next = button("Next round", () => { game.isJudged = false; view.refresh(); }, { class: "try" });
  const again = button("New game", () => { Object.assign(game, { rounds: [], seed: game.seed + 100, isJudged: false }); view.refresh(); });
  view.onSync(() => {
    const { rounds } = game, last = rounds.at(-1), number = rounds.length - (game.isJudged ? 1 : 0), round = drawnLeaf(game.seed, Math.min(number, ROUNDS - 1), view.subject);
    const lines = Object.keys(last?.lost ?? {}).map((name) => [options[name] ?? name, rounds.reduce((sum, { lost }) => sum + lost[name], 0)]).sort((a, b) => a[1] - b[1]);
    choose.hidden = game.isJudged;
    next.hidden = !game.isJudged || rounds.length >= ROUNDS;
    again.hidden = !rounds.length;
    tree.show({ ...round.world, editable: false }, round.tree);
    line.show(game.isJudged ? roundMarks(last, options) : []);
    setText(said, game.isJudged ? `${last.title}: ${options[last.name]} said ${percent(last.said)}, the truth was ${percent(last.truth)}: ${pointsText(last.lost.you)} lost.${rounds.length < ROUNDS ? "" : ` The game is won by ${lines[0][0]} with ${(100 * lines[0][1]).toFixed(0)} points lost; you lost ${(100 * lines.find(([label]) => label === "you")[1]).toFixed(0)}.`}`
      : `Round ${number + 1} of ${ROUNDS}: nature has drawn a leaf. Choose who speaks for you; you lose as many points as the answer is off.`);
    board.replaceChildren(scoreBoard(lines));
  });
  return element("section", { class: "game", "aria-label": "Play" }, element("b", { text: "Play against nature" }), said, tree.box, line.box, choose, element("div", { class: "row" }, next, again), board);
}

// Where everybody stood in a round, the chosen one in front.
function roundMarks({ name, truth, answers }, options) {
  const others = Object.entries(answers).map(([method, value]) => ({ name: method, label: options[method], value, kind: method === name ? "estimate main" : "estimate" }));
  return [...others.filter(({ name: method }) => [name, "mle", "laplace", "hgs"].includes(method)), { name: "truth", label: "truth", value: truth, kind: "truth" }];
}

// The leaf of a round, before anybody is asked about it.
function drawnLeaf(start, round, subject) {
  const seed = start + round, names = Object.keys(WORLDS), world = worldOf(names[round % names.length], subject, null, 0.5);
  const rows = 1 + Math.floor(randomFrom(seed)() * 5), [counts] = drawSamples(world, rows, seed, 1);
  return { seed, world, tree: treeOf(world.parent, world.ends, counts) };
}

// One round: every method is asked about the same leaf, so that the score shows who else would have won.
function playRound(view, game, name) {
  const { seed, world, tree } = drawnLeaf(game.seed, game.rounds.length, view.subject);
  const answers = Object.fromEntries(Object.entries(METHODS).map(([method, estimate]) => [method, estimate(tree, world.leaf, view.now)]));
  answers.hdp = finish(estimateWork(tree, { sweeps: WORLD_SWEEPS, seed, tying: "single" }))[world.leaf];
  const lost = Object.fromEntries(Object.entries(answers).map(([method, said]) => [method, Math.abs(said - world.truth)]));
  game.rounds.push({ name, title: world.title, truth: world.truth, said: answers[name], answers, lost: { you: lost[name], ...lost } });
}

// Steps a generator to its end at once: a sample of a game is small.
function finish(work) { let one = work.next(); while (!one.done) one = work.next(); return one.value; }

function scoreBoard(lines) {
  const most = Math.max(...lines.map(([, lost]) => lost), 0.01);
  return element("div", { class: "choices", role: "group", "aria-label": "Points lost" }, ...lines.map(([label, lost]) => element("div", { class: `choice ${label === "you" ? "best" : ""}` }, element("span", { text: label }),
    element("i", {}, element("b", { style: `width:${100 * lost / most}%` })), element("span", { text: (100 * lost).toFixed(0) }))));
}
