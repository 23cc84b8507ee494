// Step 8 as a game: nature draws a leaf, one sees its counts and chooses a method, then the truth is told
// and what is lost is kept score of. The truths take turns, each twice, and the samples are those of the
// seeds 1, 2, 3, ...: who wins was not picked.

const ROUNDS = 10;

function gameBox(view) {
  const game = view.game ??= { rounds: [], seed: 1 };
  const said = element("p", { role: "status" }), asked = element("p", { class: "asked" }), board = element("div", { class: "board" });
  const choose = Object.entries(view.step.guess.options).map(([name, label]) => button(label, () => { playRound(view, game, name); view.refresh(); }, { "data-value": name }));
  const again = button("New game", () => { game.rounds = []; game.seed += 100; view.refresh(); });
  view.onSync(() => {
    const { rounds } = game, last = rounds.at(-1), isOver = rounds.length >= ROUNDS, next = isOver ? null : drawnLeaf(game.seed, rounds.length);
    for (const one of choose) one.disabled = isOver;
    again.hidden = !rounds.length;
    setText(said, last ? `${last.title}: ${view.step.guess.options[last.name]} said ${percent(last.said)}, the truth was ${percent(last.truth)}: ${pointsText(last.lost[last.name])} lost.`
      : "Nature draws a leaf; you see its counts and choose who speaks for you. You lose as many points as the answer is off. Five truths take turns, each twice.");
    setText(asked, next ? `Round ${rounds.length + 1} of ${ROUNDS}: ${pathTo(next.tree, next.world.leaf).reverse().map((node) => `${next.world.names[node]} ${countText(next.tree.cases[node])} of ${countText(next.tree.rows[node])}`).join(", ")}. Who is asked about the first?` : "The game is over.");
    board.replaceChildren(...(rounds.length ? [scoreBoard(view, rounds)] : []));
  });
  return element("section", { class: "game", "aria-label": "Play" }, element("b", { text: "Play against nature" }), said, asked, element("div", { class: "row" }, ...choose), board, again);
}

// The leaf of a round, before anybody is asked about it.
function drawnLeaf(start, round) {
  const seed = start + round, names = Object.keys(WORLDS), world = worldOf(names[round % names.length], null, null, 0.5);
  const rows = 1 + Math.floor(randomFrom(seed)() * 5), [counts] = drawSamples(world, rows, seed, 1);
  return { seed, world, tree: treeOf(world.parent, world.ends, counts) };
}

// One round: every method is asked about the same leaf, so that the score shows who else would have won.
function playRound(view, game, name) {
  if (game.rounds.length >= ROUNDS) return;
  const { seed, world, tree } = drawnLeaf(game.seed, game.rounds.length);
  const answers = Object.fromEntries(Object.entries(METHODS).map(([method, estimate]) => [method, estimate(tree, world.leaf, view.now)]));
  answers.hdp = finish(estimateWork(tree, { sweeps: WORLD_SWEEPS, seed, tying: "single" }))[world.leaf];
  const lost = Object.fromEntries(Object.entries(answers).map(([method, said]) => [method, Math.abs(said - world.truth)]));
  game.rounds.push({ name, title: world.title, truth: world.truth, said: answers[name], lost });
}

// Steps a generator to its end at once: a sample of a game is small.
function finish(work) { let one = work.next(); while (!one.done) one = work.next(); return one.value; }

function scoreBoard(view, rounds) {
  const total = (of) => rounds.reduce((sum, round) => sum + of(round), 0), mine = total(({ name, lost }) => lost[name]);
  const lines = [["you", mine], ...Object.keys(rounds[0].lost).map((name) => [view.step.guess.options[name], total(({ lost }) => lost[name])])].sort((a, b) => a[1] - b[1]), most = Math.max(...lines.map(([, lost]) => lost), 0.01);
  return element("div", { class: "choices", role: "group", "aria-label": "Points lost" }, ...lines.map(([label, lost]) => element("div", { class: `choice ${label === "you" ? "best" : ""}` }, element("span", { text: label }),
    element("i", {}, element("b", { style: `width:${100 * lost / most}%` })), element("span", { text: (100 * lost).toFixed(0) }))));
}
