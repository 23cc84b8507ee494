// Joins picture, words and controls. The browser holds the lesson while somebody drags; Python
// hears of it when the hand rests, in the words of a link, and only sends a lesson of its own
// (another "turn") when something else than this view has changed it.

const NUMBERS_IN = { counts: "-", c: "," };
const WORDS_IN = new Set(["tying", "world"]);
const NEEDED = { gibbs: ["gibbs", ["counts", "sweeps", "seed", "tying"]], hgs: ["losses", []], verdict: ["world", ["world", "leaf_rows", "seed"]], network: ["table", ["seed"]] };
const ESTIMATES = { raw: ["mle"], constant: ["mle", "laplace", "mEstimate"], branch: ["laplace", "backOff", "interpolated", "mBranch"], dirichlet: ["mBranch", "dirichlet"],
  restaurant: ["dirichlet"], gibbs: ["laplace", "mBranch", "hdp"], hgs: ["mBranch", "hdp", "hgs"], verdict: ["mle", "laplace", "mEstimate", "mBranch", "hdp", "hgs"],
  network: ["mle", "laplace", "mBranch", "hdpTable", "hgs"] };
const NAMES = { mle: "raw share", laplace: "Laplace", mEstimate: "m-estimate", backOff: "back-off", interpolated: "interpolation", mBranch: "M-branch", dirichlet: "Dirichlet", hdp: "HDP", hdpTable: "HDP", hgs: "HGS" };
const MAIN = { raw: "mle", constant: "mEstimate", branch: "mBranch", dirichlet: "dirichlet", restaurant: "dirichlet", gibbs: "hdp", hgs: "hgs", verdict: "", network: "hdpTable" };

class LessonView {
  constructor(root) {
    this.root = root;
    this.guesses = {};
    this.sampleShown = 0;
    this.syncs = [];
    this.treePicture = new LessonTree((place, value, finished) => this.set("counts", withEntry(this.lesson.counts, place, value), finished));
    this.axis = new LessonAxis();
    this.classroom = new ClassPanel(this);
    this.steps = element("nav", { class: "steps", "aria-label": "Steps" });
    this.question = element("h2", {});
    this.who = element("p", { class: "who" });
    this.words = element("div", { class: "words" });
    this.tools = element("div", { class: "tools" });
    this.root.append(this.steps, element("header", {}, this.question, this.who),
      element("div", { class: "stage" },
        element("section", { class: "picture", "aria-label": "The live picture" }, this.treePicture.box, this.axis.box, this.classroom.box),
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
    this.worlds = data.worlds;
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
      if (name === "step") lesson.step = this.data.steps.findIndex((step) => String(step.number) === text);
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
      if (name === "step") return [name, String(this.data.steps[value].number)];
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

  get step() { return this.data.steps[this.lesson.step]; }
  get path() { return pathTo(this.tree, this.leaf); }
  walkedNodes() { return Math.min(this.lesson.walked || this.path.length, this.path.length); }
  chainEstimates() { return this.tree.parent.map((_, node) => dirichletSteps(this.tree, node, concentrationOf(this.tree, this.lesson)).at(-1).p); }
  guessMarks() { const guess = this.guesses[this.step.name]; return guess === undefined ? [] : [{ x: guess, label: "you", kind: "guess" }]; }

  // What the server has found, as long as it answers what is asked now.
  takeResults() {
    const [name, fields] = NEEDED[this.step.name] ?? [], texts = this.write();
    const isFresh = !name || fields.every((field) => texts[field] === this.data.lesson[field]);
    this.results = isFresh ? this.data.results : {};
    if (this.data.results.gibbs && ["counts", "sweeps", "seed", "tying"].every((field) => texts[field] === this.data.lesson[field])) this.kept = { texts: JSON.stringify([texts.counts, texts.tying]), hdp: this.data.results.gibbs };
    this.isWaiting = this.lesson.told && Boolean(name) && !(this.results[name]);
  }

  // The tree of the step and its counts now.
  takeTree() {
    const { trees } = this.data, name = this.step.name;
    this.takeResults();
    this.shape = name === "network" ? trees.table : name === "verdict" ? trees.all_worlds[this.lesson.world] : trees.subject;
    const drawn = this.results.world?.counts;
    let counts = this.shape.counts ?? this.lesson.counts;
    if (name === "verdict") {
      const sizes = this.shape.sizes.map((size, i) => (this.shape.ends[i] === this.shape.leaf ? this.lesson.leaf_rows : size));
      counts = drawn ? drawn[this.sampleShown % drawn.length] : sizes.flatMap((size, i) => { const cases = Math.round(size * this.shape.chances[i]); return [cases, size - cases]; });
    }
    this.tree = treeOf(this.shape.parent, this.shape.ends, counts, this.shape.outcomes);
    this.leaf = this.shape.leaf;
  }

  takeFacts() {
    const { results, tree, leaf } = this, name = this.step.name;
    this.facts = { ...lessonFacts(tree, leaf, this.lesson), outcome: this.shape.outcome, who: this.shape.who };
    if (name === "gibbs" && results.gibbs) {
      const { p, c, draws } = gibbsKept(this);
      Object.assign(this.facts, { hdp: meanOf(p), kept: p.length, worth: Math.round(effectiveSize(c)), low: quantile(draws, 0.05), high: quantile(draws, 0.95) });
    } else if (name === "hgs") {
      const sampled = this.kept?.texts === JSON.stringify([this.write().counts, this.lesson.tying]) ? this.kept.hdp : null;
      Object.assign(this.facts, this.shape.editable ? descentFacts(tree, leaf) : results.descent ?? {}, sampled ? { hdp: meanOf(sampled.p.slice(Math.floor(sampled.p.length / 10))) } : {});
    }
    if (name === "network" && results.table) this.facts.hdpTable = results.table.hdp[leaf];
    this.verdictRows = null;
    if (name === "verdict" && results.world) {
      this.verdictRows = verdict({ ...this.shape, ...results.world }, this.shape.truth, this.lesson);
      Object.assign(this.facts, { best: this.verdictRows[0].label, bestError: this.verdictRows[0].error, rawError: this.verdictRows.find((row) => row.name === "mle").error,
        hdp: results.world.hdp[this.sampleShown % results.world.hdp.length] });
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
    this.words.replaceChildren(...(lesson.told ? this.buildTold() : this.buildGuess()));
// While a class guesses, its guesses are what the screen is for.
    (lesson.told ? this.axis.box.parentNode : this.words).append(this.classroom.box);
    const forward = lesson.told
      ? lesson.step < last ? [button(`Next: ${this.data.steps[lesson.step + 1].title}`, () => this.go(lesson.step + 1), { class: "primary" })] : [button("From the beginning", () => this.go(0))]
      : [button("Reveal", () => this.reveal(), { class: "primary" })];
    const skip = !lesson.told && lesson.step < last ? [button("Skip", () => this.go(lesson.step + 1))] : [];
    const back = lesson.step > 0 ? [button("Back", () => this.go(lesson.step - 1))] : [];
    this.tools.replaceChildren(...back, ...forward, ...skip, element("span", { class: "place", text: `${lesson.step + 1} of ${last + 1}` }), element("span", { class: "gap" }), ...this.classroom.buttons());
  }

  buildGuess() {
    const { step } = this, clue = element("p", { class: "clue" }), shown = element("output", {});
    const input = element("input", { type: "range", min: 0, max: 100, step: 1, value: this.guesses[step.name] === undefined ? 50 : this.guesses[step.name] * 100, "aria-label": "Your guess" });
    input.addEventListener("input", () => { this.guesses[step.name] = Number(input.value) / 100; this.refresh(); });
    const box = element("label", { class: "slider guess" }, element("span", { text: "Guess first" }), input, shown);
    this.onSync(() => {
      const guess = this.guesses[step.name];
      clue.textContent = fillWords(step.clue, this.facts);
      shown.textContent = guess === undefined ? "no guess yet" : percent(guess);
      input.classList.toggle("untouched", guess === undefined);
    });
    const choose = step.name === "verdict" ? PANELS.verdict(this).controls.slice(0, 2) : [];
    return [clue, ...choose, box, element("p", { class: "fine", text: "Nobody sees it; it is drawn beside the answer." })];
  }

  buildTold() {
    const { step } = this, told = step.told.map(() => element("p", {})), guess = element("p", { class: "guessed" });
    const formulas = element("div", { class: "formulas" }), legend = element("dl", { class: "legend" }), drawn = element("div", { class: "drawn" });
    const wait = element("p", { class: "wait", role: "status", text: "The server is computing …" }), panel = PANELS[step.name](this);
    this.onSync(() => {
      step.told.forEach((words, i) => {
        told[i].textContent = fillWords(words, this.facts);
        told[i].hidden = this.isWaiting && i > 0;
      });
      wait.hidden = !this.isWaiting;
      guess.textContent = this.guessWords();
      formulas.replaceChildren(...this.formulas());
      legend.replaceChildren(...Object.entries(step.symbols).flatMap(([symbol, words]) => [
        element("dt", { "data-symbol": symbol, tabindex: 0 }, formulaElement(symbol)), element("dd", { text: fillWords(words, this.facts) })]));
      drawn.replaceChildren(...panel.draw());
    });
    const exercise = step.exercise ? [this.buildExercise(step.exercise)] : [];
    return [guess, ...told, wait, element("div", { class: `sides ${panel.layout ?? ""}` }, element("div", { class: "left" }, formulas, legend), element("div", { class: "right" }, ...panel.controls), drawn),
      element("p", { class: "takeaway", text: step.takeaway }), ...exercise, element("p", { class: "sources", text: `Sources: ${step.sources.join("; ")}.` })];
  }

  guessWords() {
    const guess = this.guesses[this.step.name], answer = this.facts[MAIN[this.step.name]];
    if (guess === undefined) return "";
    if (answer === undefined || answer === null) return `Your guess: ${percent(guess)}.`;
    return `Your guess: ${percent(guess)}, ${Math.round(Math.abs(guess - answer) * 100)} points from ${NAMES[MAIN[this.step.name]]}'s ${percent(answer)}.`;
  }

  // Each formula in symbols, and with the reader's numbers.
  formulas() {
    const { step, tree, leaf, facts, lesson } = this, at = withRows(tree, leaf);
    const own = { n_k: countText(tree.cases[at]), n: countText(tree.rows[at]) }, shown = step.formulas.map((text) => formulaElement(text));
    const line = (text, values, result, words = "") => element("div", { class: "filled" }, ...(words ? [element("small", { text: words })] : []), formulaElement(`${text} = ${fourDigits(result)}`, values));
    const ancestors = pathTo(tree, at).slice(0, -1).reverse();
    const shares = ancestors.map((a) => `w_a·{${countText(tree.cases[a])}}/{${countText(tree.rows[a])}}`);
// A long path: the nearest two ancestors and the root.
    const lent = shares.length > 3 ? [...shares.slice(0, 2), "…", shares.at(-1)] : shares;
    const filled = {
      raw: () => [line(step.formulas[0], own, facts.mle)],
      constant: () => [line(step.formulas[0], { ...own, m: String(facts.outcomes), b: fourDigits(facts.uniform) }, facts.laplace, "Laplace"), line(step.formulas[0], { ...own, m: roughly(lesson.strength), b: fourDigits(facts.uniform) }, facts.mEstimate, "m-estimate")],
      dirichlet: () => [line(step.formulas[0], { n_k: countText(facts.cases), n: countText(facts.rows), c: roughly(facts.c), q: fourDigits(facts.q) }, facts.dirichlet)],
      hgs: () => [line(`p = {n_k + ${lent.join(" + ") || "0"}}/{n + ${ancestors.length}·w_a}`, { ...own, w_a: roughly(lesson.weight) }, facts.hgs)],
    }[step.name];
    const note = at !== leaf && filled ? [element("p", { class: "fine", text: "The leaf is empty: the nearest ancestor that has rows answers." })] : [];
    return [...shown, ...note, ...(filled ? filled() : [])];
  }

  buildExercise({ question, answer, off, solution }) {
    const input = element("input", { type: "number", step: "any", "aria-label": "Your answer" }), verdictWords = element("span", { role: "status" });
    const check = () => {
      if (input.value === "") return;
      const isRight = Math.abs(Number(input.value) - this.facts[answer]) <= off + 1e-9;
      verdictWords.textContent = `${isRight ? "Right." : "Not quite."} ${fillWords(solution, this.facts)}`;
    };
    input.addEventListener("keydown", (event) => { if (event.key === "Enter") check(); });
    return element("details", { class: "exercise" }, element("summary", { text: "Try it" }), element("p", { text: question }), element("div", { class: "row" }, input, button("Check", check), verdictWords));
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
    this.who.textContent = `Chance of ${shape.outcome} where ${shape.who}`;
    const groups = ["dirichlet", "restaurant", "gibbs"].includes(name) ? groupsOf(this.tree, lesson.tying) : null;
    this.treePicture.show(shape, this.tree, { groups, notes: this.notes() });
    const seen = [["seenLeaf", "leaf", facts.seen, "n_k n"], ["seenParent", "parent", facts.seenParent, "n_ak n_a"], ["seenAll", "all", facts.seenAll, "n_ak n_a"]]
      .map(([key, label, value, symbol]) => ({ name: key, label, value, symbol, kind: "seen" }));
    const estimates = lesson.told ? ESTIMATES[name].map((key) => ({ name: key, label: NAMES[key], value: facts[key], kind: key === MAIN[name] ? "estimate main" : "estimate", symbol: key === MAIN[name] ? "p" : "" })) : [];
    const guess = this.guesses[name], truth = name === "verdict" && lesson.told ? [{ name: "truth", label: "truth", value: shape.truth, kind: "truth" }] : [];
    this.axis.show([...seen, ...estimates, ...truth, ...(guess === undefined ? [] : [{ name: "guess", label: "you", value: guess, kind: "guess" }])]);
    for (const sync of this.syncs) sync();
    this.classroom.draw();
    this.fit();
  }

  // What stands under the counts of a node: how strongly it is pulled, and what comes out.
  notes() {
    const { step, lesson, tree, leaf } = this;
    if (!lesson.told) return null;
    const along = { branch: () => mBranchSteps(tree, leaf, lesson.branch).slice(0, this.walkedNodes()).map(({ node, m, p }) => [node, `m ${roughly(m)} → ${percent(p)}`]),
      dirichlet: () => dirichletSteps(tree, leaf, concentrationOf(tree, lesson)).map(({ node, c, p }) => [node, `c ${roughly(c)} → ${percent(p)}`]),
      hgs: () => this.path.slice(0, -1).map((node) => [node, `w ${roughly(lesson.weight)} × ${percent(observed(tree, node))}`]) }[step.name];
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
    if (key === this.fitKey && fits(this.fitSize)) return;
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
