// Joins picture, words and controls. The browser holds the lesson while somebody drags; Python
// hears of it when the hand rests, in the words of a link, and only sends a lesson of its own
// (another "turn") when something else than this view has changed it.

const NUMBERS_IN = { counts: "-", c: "," };
const WORDS_IN = new Set(["tying", "world", "order"]);
// What a step needs from the server, and the settings that it depends on.
const NEEDED = { gibbs: ["gibbs", ["counts", "sweeps", "seed", "tying"]], hgs: ["losses", []], verdict: ["world", ["world", "leaf_rows", "seed", "truth", "counts"]], network: ["table", ["seed"]] };
const ESTIMATES = { raw: ["mle"], constant: ["mle", "laplace", "mEstimate"], branch: ["laplace", "backOff", "interpolated", "mBranch"], dirichlet: ["mBranch", "dirichlet"],
  restaurant: ["dirichlet"], gibbs: ["laplace", "mBranch", "hdp"], hgs: ["mBranch", "hdp", "hgs"], verdict: ["mle", "laplace", "mEstimate", "mBranch", "hdp", "hgs"],
  network: ["mle", "laplace", "mBranch", "dirichlet", "hdpTable", "hgs"] };
const NAMES = { mle: "raw share", laplace: "Laplace", mEstimate: "m-estimate", backOff: "back-off", interpolated: "interpolation", mBranch: "M-branch", dirichlet: "Dirichlet", hdp: "HDP", hdpTable: "HDP", hgs: "HGS" };
// The estimate that a step is about.
const MAIN = { raw: "mle", constant: "mEstimate", branch: "mBranch", dirichlet: "dirichlet", restaurant: "dirichlet", gibbs: "hdp", hgs: "hgs", verdict: "", network: "hdpTable" };

class LessonView {
  constructor(root) {
    this.root = root;
    this.guesses = {};
    this.sampleShown = 0;
    this.syncs = [];
    this.treePicture = new LessonTree((place, value, finished) => this.set("counts", withEntry(this.lesson.counts, place, value), finished), (node) => this.pick(node));
    this.axis = new LessonAxis();
    this.classroom = new ClassPanel(this);
    this.steps = element("nav", { class: "steps", "aria-label": "Steps" });
    this.question = element("h2", {});
    this.who = element("p", { class: "who" });
    this.words = element("div", { class: "words" });
    this.tools = element("div", { class: "tools" });
    this.root.append(this.steps, element("header", {}, this.question, this.who),
      element("div", { class: "stage" },
        element("section", { class: "picture", "aria-label": "The live picture" }, this.treePicture.box, this.treePicture.refused, this.axis.box, this.classroom.box),
        this.words), this.tools);
    this.onPop = () => this.readAddress();
    this.onKey = (event) => this.key(event);
    window.addEventListener("popstate", this.onPop);
    document.addEventListener("keydown", this.onKey);
    this.root.addEventListener("pointerover", (event) => this.light(event));
    this.root.addEventListener("focusin", (event) => this.light(event));
    this.fitting = new ResizeObserver(() => this.fit());
    this.fitting.observe(this.root);
  }

  end() {
    window.removeEventListener("popstate", this.onPop);
    document.removeEventListener("keydown", this.onKey);
    this.fitting.disconnect();
    this.classroom.end();
  }

  update(data) {
    const isNewTree = JSON.stringify(data.trees.subject) !== JSON.stringify(this.data?.trees.subject);
    this.data = data;
    this.limits = data.limits;
    this.root.classList.toggle("slide", data.embedded);
    if (data.turn !== this.turn) {
      this.turn = data.turn;
      this.lesson = this.read(data.lesson);
      this.build();
    } else if (isNewTree) this.build();
    this.refresh();
  }

  // The lesson as a link has it, and back.
  read(texts) {
    const lesson = {};
    for (const [name, text] of Object.entries(texts)) {
      if (name === "step") lesson.step = this.data.steps.findIndex((step) => step.name === text || String(step.number) === text);
      else if (name in NUMBERS_IN) lesson[name] = text.split(NUMBERS_IN[name]).map(Number);
      else if (name === "told") lesson.told = text === "1";
      else lesson[name] = WORDS_IN.has(name) ? text : Number(text);
    }
    if (!(lesson.step >= 0)) lesson.step = 0;
    return lesson;
  }

  write() {
    const short = (value) => String(Number(value.toPrecision(6)));
    return Object.fromEntries(Object.entries(this.lesson).map(([name, value]) => {
      if (name === "step") return [name, this.data.steps[value].name];
      if (name in NUMBERS_IN) return [name, value.map(short).join(NUMBERS_IN[name])];
      if (name === "told") return [name, value ? "1" : "0"];
      return [name, WORDS_IN.has(name) ? value : short(value)];
    }));
  }

  writeAddress(push) {
    const address = new URL(window.location.href), texts = this.write();
    if (!address.searchParams.has("v")) address.searchParams.set("v", "1");
    for (const [name, text] of Object.entries(texts)) {
      if (text === this.data.usual[name]) address.searchParams.delete(name);
      else address.searchParams.set(name, text);
    }
    if (address.href !== window.location.href) window.history[push ? "pushState" : "replaceState"](window.history.state, "", address);
  }

  // Back and forward: the address says which step, and how everything was set.
  readAddress() {
    const found = new URL(window.location.href).searchParams, texts = { ...this.data.usual };
    for (const name of Object.keys(texts)) if (found.has(name)) texts[name] = found.get(name);
    this.lesson = this.read(texts);
    this.build();
    this.refresh();
    this.tell();
  }

  tell() {
    clearTimeout(this.telling);
    this.telling = setTimeout(() => this.send(this.write()), 150);
  }

  set(field, value, finished, rebuild = false) {
    this.lesson[field] = value;
    this.isDragged = !finished;
    if (rebuild) this.build();
    if (finished) { this.writeAddress(false); this.tell(); }
    this.refresh();
  }

  go(step) {
    if (step < 0 || step >= this.data.steps.length) return;
    Object.assign(this.lesson, { step, told: false, walked: 0 });
    this.writeAddress(true);
    this.tell();
    this.build();
    this.refresh();
    this.question.focus({ preventScroll: true });
  }

  reveal() {
    Object.assign(this.lesson, { told: true, walked: 1 });
// The experiment is repeated on what the reader believes.
    if (this.step.name === "raw" && this.isNewGuess) this.lesson.truth = Math.min(Math.max(this.guesses.raw, 0.01), 0.99);
    this.isNewGuess = false;
    this.writeAddress(false);
    this.tell();
    this.build();
    this.refresh();
  }

  key(event) {
    const target = event.composedPath()[0], isText = target.matches?.("input, select, textarea, [contenteditable], [role=slider], [role=tab], [role=combobox]");
    if (isText || event.ctrlKey || event.metaKey || event.altKey) return;
    if (["ArrowRight", "PageDown"].includes(event.key)) { if (this.lesson.told) this.go(this.lesson.step + 1); else this.reveal(); }
    else if (["ArrowLeft", "PageUp"].includes(event.key)) this.go(this.lesson.step - 1);
    else return;
    event.preventDefault();
  }

  onSync(how) { this.syncs.push(how); }

  // A guess is a number, or the name of what was chosen.
  guess(value) {
    this.guesses[this.step.name] = value;
    this.isNewGuess = true;
    this.refresh();
  }

  // A cell of the network's table is chosen by pressing it.
  pick(node) {
    const cell = this.shape.cells?.indexOf(node) ?? -1;
    if (cell >= 0) this.set("cell", cell, true, true);
  }

  // The lesson with everything filled in that its reader has left as it was.
  get now() {
    const { lesson, data: { trees: { subject } } } = this, { usual } = subject, counts = subject.counts ?? lesson.counts;
    const at = subject.ends.indexOf(subject.leaf), rows = Math.max(Math.round(counts[2 * at] + counts[2 * at + 1]), 1);
    const world = lesson.world === "usual" ? usual.world : lesson.world;
    return { ...lesson, world, truth: lesson.truth || usual.truth, sample: lesson.sample || Math.min(rows, 100),
      leaf_rows: lesson.leaf_rows || (world === "own" ? Math.min(rows, this.limits.leaf_rows) : usual.other_rows),
      tying: this.step.name === "network" ? "level" : lesson.tying };
  }

  get step() { return this.data.steps[this.lesson.step]; }
  get path() { return pathTo(this.tree, this.leaf); }
  walkedNodes() { return Math.min(this.lesson.walked || this.path.length, this.path.length); }
  chainEstimates() { return this.tree.parent.map((_, node) => dirichletSteps(this.tree, node, concentrationOf(this.tree, this.now)).at(-1).p); }

  // What the server has found, as long as it answers what is asked now.
  takeResults() {
    const [name, fields] = NEEDED[this.step.name] ?? [], texts = this.write();
    const isFresh = (of) => of.every((field) => texts[field] === this.data.lesson[field]);
    this.results = isFresh(fields ?? []) ? this.data.results : {};
    this.sampled = this.data.results.gibbs && isFresh(NEEDED.gibbs[1]) ? this.data.results.gibbs : null;
    this.isWaiting = this.lesson.told && Boolean(name) && !(this.results[name]);
  }

  // The tree of the step and its counts now.
  takeTree() {
    const { trees } = this.data, name = this.step.name, { lesson, now } = this;
    this.takeResults();
    const table = trees.tables[lesson.order];
    this.shape = name === "network" ? { ...table, leaf: table.cells[lesson.cell], asked: table.asked[lesson.cell] } : name === "verdict" ? trees.worlds[now.world] : trees.subject;
    this.tree = treeOf(this.shape.parent, this.shape.ends, name === "verdict" ? this.sampleOfWorld() : this.shape.counts ?? lesson.counts, this.shape.outcomes);
    this.leaf = this.shape.leaf;
  }

  // A sample of the world: the first one while one guesses, and the same once the answer is told.
  sampleOfWorld() {
    const { shape, now, results } = this, drawn = results.world?.counts, { luck } = this.data.trees;
    if (drawn) return drawn[this.sampleShown % drawn.length];
    this.sampleShown = 0;
    const cases = luck.slice(0, now.leaf_rows).filter((one) => one < (now.world === "own" ? now.truth : shape.truth)).length;
    const at = 2 * shape.ends.indexOf(shape.leaf);
    return shape.first.map((count, i) => (i === at ? cases : i === at + 1 ? now.leaf_rows - cases : count));
  }

  takeFacts() {
    const { results, tree, leaf, now, shape, data } = this, name = this.step.name, holder = withRows(tree, leaf), up = Math.max(tree.parent[leaf], 0);
    this.facts = { ...lessonFacts(tree, leaf, now), outcome: shape.outcome, repeats: data.repeats, parentName: shape.names[up],
      holder: holder === leaf ? "the leaf" : `“${shape.names[holder]}”, as the leaf is empty,` };
    if (this.sampled && ["gibbs", "hgs"].includes(name)) Object.assign(this.facts, gibbsFacts(this.sampled, this.lesson.burn));
    if (name === "hgs") Object.assign(this.facts, shape.editable ? descentFacts(tree, leaf) : results.descent ?? {});
    if (name === "network") this.takeTableFacts();
    this.verdictRows = null;
    if (name === "verdict") this.takeVerdict();
    this.takeGuess();
  }

  takeTableFacts() {
    const { shape, lesson, results, data } = this;
    Object.assign(this.facts, { cell: data.cells[lesson.cell].replace(",", " and"), order: shape.columns.join(", "), firstColumn: shape.columns[0], nextColumn: shape.columns[1],
      exact: shape.exact[lesson.cell] }, results.table ? { hdpTable: results.table[lesson.order][lesson.cell] } : {});
  }

  takeVerdict() {
    const { shape, results, now, step } = this, truth = now.world === "own" ? now.truth : shape.truth;
    Object.assign(this.facts, { worldTruth: truth, methods: Object.keys(step.guess.options).length });
    if (!results.world) return;
    const rows = verdict({ ...shape, ...results.world }, truth, now).map((row) => ({ ...row, label: step.guess.options[row.name] }));
    const [best] = rows, raw = rows.find((row) => row.name === "mle");
    this.verdictRows = rows;
    Object.assign(this.facts, { best: best.label, bestError: best.error, bestErrorPoints: best.error * 100, bestBias: best.bias, bestSpread: best.spread,
      rawError: raw.error, rawBias: raw.bias, rawSpread: raw.spread, hdp: results.world.hdp[this.sampleShown % results.world.hdp.length] });
  }

  takeGuess() {
    const { facts, step } = this, guess = this.guesses[step.name], answer = facts[step.guess.answer];
    if (guess === undefined) return;
    if (typeof guess === "number") {
      Object.assign(facts, { guess, likeThis: chanceOfSample(Math.round(facts.cases), Math.round(facts.rows), guess) }, Number.isFinite(answer) ? { off: Math.abs(guess - answer) } : {});
    } else {
      const place = this.verdictRows?.findIndex((row) => row.name === guess) ?? -1;
      Object.assign(facts, { choice: step.guess.options[guess] }, place < 0 ? {} : { place: place + 1, choiceError: this.verdictRows[place].error });
    }
  }

  // Everything that does not change while one drags.
  build() {
    this.syncs = [];
    this.takeTree();
    this.takeFacts();
    const { step, lesson } = this, last = this.data.steps.length - 1;
    this.steps.replaceChildren(...this.data.steps.map((other, number) => button(`${number + 1}. ${other.title}`, () => this.go(number), { "aria-current": number === lesson.step ? "step" : false })));
    const current = this.steps.children[lesson.step];
    this.steps.scrollLeft = current.offsetLeft - this.steps.offsetLeft - 20;
    this.question.textContent = step.question;
    this.question.tabIndex = -1;
    this.words.replaceChildren(...(lesson.told ? toldWords(this) : guessWords(this)));
// While a class guesses, its guesses are what the screen is for.
    (lesson.told ? this.axis.box.parentNode : this.words).append(this.classroom.box);
    const forward = lesson.told
      ? lesson.step < last ? [button(`Next: ${this.data.steps[lesson.step + 1].title}`, () => this.go(lesson.step + 1), { class: "primary" })] : [button("From the beginning", () => this.go(0))]
      : [button("Reveal", () => this.reveal(), { class: "primary" })];
    const skip = !lesson.told && lesson.step < last ? [button("Skip", () => this.go(lesson.step + 1))] : [];
    const back = lesson.step > 0 ? [button("Back", () => this.go(lesson.step - 1))] : [];
    this.tools.replaceChildren(...back, ...forward, ...skip, element("span", { class: "place", text: `${lesson.step + 1} of ${last + 1}` }), element("span", { class: "gap" }), ...this.classroom.buttons());
  }

  refresh() {
    if (!this.data) return;
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.draw());
  }

  draw() {
    this.takeTree();
    this.takeFacts();
    const { facts, step, lesson, shape } = this, name = step.name;
    this.who.textContent = shape.asked;
    const groups = ["dirichlet", "restaurant", "gibbs", "network"].includes(name) ? groupsOf(this.tree, this.now.tying) : null;
    this.treePicture.show(shape, this.tree, { groups, notes: this.notes() });
    const seen = [["seenLeaf", "leaf", facts.seen, "n_k n"], ["seenParent", "parent", facts.seenParent, "n_ak n_a"], ["seenAll", "all", facts.seenAll, "n_ak n_a"]]
      .map(([key, label, value, symbol]) => ({ name: key, label, value, symbol, kind: "seen" }));
    const estimates = lesson.told ? ESTIMATES[name].map((key) => ({ name: key, label: NAMES[key], value: facts[key], kind: key === MAIN[name] ? "estimate main" : "estimate", symbol: key === MAIN[name] ? "p" : "" })) : [];
    const truth = name === "verdict" && lesson.told ? [{ name: "truth", label: "truth", value: facts.worldTruth, kind: "truth" }] : [];
    const guess = facts.guess !== undefined && step.guess.is_chance ? [{ name: "guess", label: "you", value: facts.guess, kind: "guess" }] : [];
    this.axis.show([...seen, ...estimates, ...truth, ...guess]);
    for (const sync of this.syncs) sync();
    this.classroom.draw();
    this.fit();
  }

  // What stands under the counts of a node: how strongly it is pulled, and what comes out.
  notes() {
    const { step, lesson, tree, leaf } = this;
    if (!lesson.told) return null;
    const walk = () => dirichletSteps(tree, leaf, concentrationOf(tree, this.now)).map(({ node, c, p }) => [node, `c ${roughly(c)} → ${percent(p)}`]);
    const along = { branch: () => mBranchSteps(tree, leaf, lesson.branch).slice(0, this.walkedNodes()).map(({ node, m, p }) => [node, `m ${roughly(m)} → ${percent(p)}`]),
      dirichlet: walk, network: walk,
      hgs: () => pathTo(tree, withRows(tree, leaf)).slice(0, -1).map((node) => [node, `w ${roughly(lesson.weight)} × ${percent(observed(tree, node))}`]) }[step.name];
    return along ? Object.fromEntries(along()) : null;
  }

  // Pointing at a symbol lights it everywhere: in formulas, legend, tree and axis.
  light(event) {
    const symbols = new Set((event.target.closest?.("math [data-symbol], dt[data-symbol], td[data-symbol], .counts [data-symbol]")?.dataset.symbol ?? "").split(" ").filter(Boolean));
    for (const one of this.root.querySelectorAll("[data-symbol]")) one.classList.toggle("lit", (one.dataset.symbol || "").split(" ").some((symbol) => symbols.has(symbol)));
  }

  // A slide fills the screen: its type grows or shrinks until everything is seen at once.
  fit() {
    if (!this.data?.embedded) return;
    const key = `${window.innerWidth} ${window.innerHeight} ${this.lesson.step} ${this.lesson.told} ${this.isWaiting}`;
    const { words, treePicture, axis } = this, picture = treePicture.box.parentNode;
    const fits = (size) => {
      this.root.style.fontSize = `${size}px`;
      treePicture.layOut();
      axis.arrange();
      const room = words.parentNode.clientHeight;
      const isWide = (one) => one.scrollWidth > one.clientWidth + 1;
      return words.scrollHeight <= room && picture.scrollHeight <= room && ![words, ...words.querySelectorAll(".left, .right, .drawn, .filled")].some(isWide);
    };
// Measuring is dear: not while something is dragged.
    if (key === this.fitKey && (this.isDragged || fits(this.fitSize))) return;
    let low = 8, top = window.innerHeight / 28;
    for (let round = 0; round < 8; round++) { const middle = (low + top) / 2; if (fits(middle)) low = middle; else top = middle; }
    Object.assign(this, { fitKey: key, fitSize: low });
    fits(low);
  }
}

// Streamlit calls the function below again with every run; the view of an element is kept.
const views = new WeakMap();

export default function (component) {
  const { data, parentElement, setStateValue } = component, root = parentElement.querySelector(".lesson");
  if (!views.has(root)) views.set(root, new LessonView(root));
  const view = views.get(root);
  view.send = (texts) => setStateValue("lesson", texts);
  view.update(data);
  return () => { view.end(); root.replaceChildren(); views.delete(root); };
}
