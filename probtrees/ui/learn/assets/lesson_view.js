// Joins picture, words and controls. The browser holds the lesson and computes all of it. In the app
// Python hears of it when the hand rests, in the words of a link, and only sends a lesson of its own
// (another "turn") when something else than this view has changed it; a page without a server has none.

const SOURCES = { ward: "A ward whose truth is known", gene: "The gene example" };

// So many frames of a drag pass until words are set again.
const WORDS_EVERY = 24;
// The bar of the page covers so many pixels at its top.
const TOP_BAR = 60;

class LessonView {
  constructor(root) {
    this.root = root;
    root.view = this;
    this.guesses = {};
    this.revealed = new Set();
    this.sampleShown = 0;
    this.syncs = [];
    this.jobs = {};
    this.known = {};
    this.treePicture = new LessonTree((place, value, finished) => this.set("counts", withEntry(countsOf(this.subject, this.lesson), place, value), finished), (node) => this.pick(node));
    this.axis = new LessonAxis();
    this.classroom = new ClassPanel(this);
    this.choice = element("nav", { class: "examples", "aria-label": "Explained on" });
    this.steps = element("nav", { class: "steps", "aria-label": "Steps" });
    this.question = element("h2", {});
    this.who = element("p", { class: "who" });
    this.words = element("div", { class: "words" });
    this.words.tabIndex = this.question.tabIndex = -1;
    this.tools = element("div", { class: "tools" });
    this.reset = button("Counts as in the example", () => { this.treePicture.refused.hidden = true; this.set("counts", this.subject.first, true); }, { class: "reset", hidden: true });
    this.caption = element("p", { class: "caption" });
    this.picture = element("section", { class: "picture", "aria-label": "The live picture" }, this.caption, this.treePicture.box, this.treePicture.refused, this.reset, this.axis.box, this.classroom.box);
    this.root.append(this.choice, this.steps, element("header", {}, this.question, this.who),
      element("div", { class: "stage" }, this.picture, this.words), this.tools);
    this.onPop = () => this.readAddress();
    this.onKey = (event) => this.key(event);
    window.addEventListener("popstate", this.onPop);
    document.addEventListener("keydown", this.onKey);
    this.root.addEventListener("pointerover", (event) => lightSymbols(this.root, event));
    this.root.addEventListener("focusin", (event) => lightSymbols(this.root, event));
    this.fitting = new ResizeObserver(() => fitSlide(this));
    this.fitting.observe(this.root);
// Where picture and words stand side by side; the style sheet has the same border.
    this.broad = window.matchMedia("(min-width: 901px)");
    this.onBroad = () => { this.build(); this.refresh(); };
    this.broad.addEventListener("change", this.onBroad);
  }

  end() {
    window.removeEventListener("popstate", this.onPop);
    document.removeEventListener("keydown", this.onKey);
    this.fitting.disconnect();
    this.broad.removeEventListener("change", this.onBroad);
    this.classroom.end();
  }

  // data: { lesson, turn, source, leaf: one's own leaf or null, embedded, classroom: null without a server }
  update(data) {
    const isNewTree = !this.data || data.source !== this.data.source || JSON.stringify(data.leaf) !== JSON.stringify(this.data.leaf);
    this.data = data;
    this.root.classList.toggle("slide", data.embedded);
    if (data.turn !== this.turn) {
      this.turn = data.turn;
      this.lesson = lessonOf(data.lesson);
      this.build();
    } else if (isNewTree) this.build();
    this.refresh();
  }

  // Back and forward: the address says which step, and how everything was set.
  readAddress() {
    this.lesson = lessonOf(textsInAddress());
    this.build();
    this.refresh();
    this.tell();
  }

  writeAddress(push) { writeAddress({ ...textsOf(this.lesson), ...(this.data.classroom ? {} : { source: this.data.source }) }, push); }

  // Only what is not as usual is told.
  tell() {
    clearTimeout(this.telling);
    this.telling = setTimeout(() => this.send(Object.fromEntries(Object.entries(textsOf(this.lesson)).filter(([name, text]) => text !== USUAL[name]))), 150);
  }

  // While something is dragged marks follow in every frame; charts, numbers beside marks, and words and
  // formulas, which are dear to set, by turns: no two of them in one frame.
  isTurn(of) { return !this.isDragged || (of === 0 ? this.frames % 2 === 0 : this.frames % WORDS_EVERY === 6 * of - 1); }

  set(field, value, finished, rebuild = false) {
    this.lesson[field] = value;
    this.filledIn = null;
    this.dragging(!finished);
    if (rebuild) this.build();
    if (finished) { this.writeAddress(false); this.tell(); }
    this.refresh();
  }

  dragging(isDragged) { this.root.classList.toggle("dragged", this.isDragged = isDragged); }

  go(step) {
    if (step < 0 || step >= STEPS.length) return;
    Object.assign(this.lesson, { step, told: this.revealed.has(STEPS[step].name), walked: 0 });
    this.writeAddress(true);
    this.tell();
    this.treePicture.refused.hidden = true;
    this.classroom.problem = "";
    this.build();
    this.refresh();
    this.question.focus({ preventScroll: true });
    this.showTop();
  }

  // A step begins at its question, wherever the page was scrolled to.
  showTop() {
    const { top } = this.question.getBoundingClientRect();
    if (!this.data.embedded && (top < TOP_BAR || top > window.innerHeight / 2)) this.root.scrollIntoView({ block: "start", behavior: calm() ? "auto" : "smooth" });
  }

  reveal() {
    Object.assign(this.lesson, { told: true, walked: this.data.embedded ? 1 : 0 }); // who presents walks by key
// The experiment is repeated on what the reader believes.
    if (this.step.name === "raw" && this.isNewGuess && knownTruth(this) === null) this.lesson.truth = Math.min(Math.max(this.guesses.raw, 0.01), 0.99);
    this.isNewGuess = false;
    this.writeAddress(false);
    this.tell();
    this.build();
    this.refresh();
  }

  // A presenter's key shows the answer, then walks from node to node, then goes to the next step.
  forward() {
    if (!this.lesson.told) this.reveal();
    else if (this.step.name === "branch" && this.walkedNodes() < this.path.length) this.walkOn();
    else this.go(this.lesson.step + 1);
  }

  walkOn() { this.set("walked", Math.min(this.walkedNodes() + 1, this.path.length), true); }

  key(event) {
    const target = event.composedPath()[0], isText = target.matches?.("input, select, textarea, [contenteditable], [role=slider], [role=tab], [role=combobox]");
    if (isText || event.ctrlKey || event.metaKey || event.altKey) return;
    const forward = () => this.forward(), back = () => this.go(this.lesson.step - 1);
    const does = { ArrowRight: forward, PageDown: forward, ArrowLeft: back, PageUp: back };
// A slide does not scroll, so it has the other keys of presenters too; space presses a button.
    if (this.data.embedded) Object.assign(does, { Home: () => this.go(0), End: () => this.go(STEPS.length - 1) }, target.matches?.("button, summary") ? {} : { " ": event.shiftKey ? back : forward });
    if (!does[event.key]) return;
    does[event.key]();
    event.preventDefault();
  }

  onSync(how) { this.syncs.push(how); }

  // A guess is a number, or the name of what was chosen.
  guess(value) {
    this.guesses[this.step.name] = value;
    this.isNewGuess = value !== undefined;
    this.refresh();
  }

  // A cell of the network's table is chosen by pressing it.
  pick(node) {
    const cell = this.shape.cells?.indexOf(node) ?? -1;
    if (cell >= 0) this.set("cell", cell, true, true);
  }

  get subject() {
    const { source, leaf } = this.data;
    if (this.about?.of !== leaf || this.about.source !== source) this.about = { of: leaf, source, subject: subjectOf(source, leaf) };
    return this.about.subject;
  }

  // The lesson with everything filled in that its reader has left as it was.
  get now() { return (this.filledIn ??= this.fillIn()); }

  fillIn() {
    const { lesson, subject } = this, { usual } = subject, counts = countsOf(subject, lesson);
    const at = subject.ends.indexOf(subject.leaf), rows = Math.max(Math.round(counts[2 * at] + counts[2 * at + 1]), 1);
    const world = lesson.world === "usual" ? usual.world : lesson.world;
    return { ...lesson, counts, world, truth: lesson.truth || usual.truth, sample: lesson.sample || Math.min(rows, 100),
      leaf_rows: lesson.leaf_rows || (world === "own" ? Math.min(rows, LIMITS.leaf_rows) : usual.other_rows),
      tying: this.step.name === "network" ? "level" : lesson.tying };
  }

  get step() { return STEPS[this.lesson.step]; }
  get path() { return pathTo(this.tree, this.leaf); }
  walkedNodes() { return Math.min(this.lesson.walked || this.path.length, this.path.length); }
  chainEstimates() { const c = concentrationOf(this.tree, this.now); return this.tree.parent.map((_, node) => dirichletSteps(this.tree, node, c).at(-1).p); }

  // What is worked out once for as long as nothing that it depends on changes.
  once(name, work, of = this.now) {
    const key = JSON.stringify([this.data.source, of, this.data.leaf?.asked]);
    if (this.known[name]?.key !== key) this.known[name] = { key, value: work() };
    return this.known[name].value;
  }

  samples() { const { shape, now } = this; return this.once("samples", () => drawSamples(shape, now.leaf_rows, now.seed)); }

  // Work of a step that takes longer than a frame, begun once its answer is shown.
  workOf(name) {
    const { now, tree, leaf, shape } = this, of = (...parts) => JSON.stringify([this.data.source, this.data.leaf?.asked, ...parts]);
    return {
      gibbs: () => [of(tree.cases, tree.rows, now.sweeps, now.seed, now.tying), () => { const whole = shape.whole ?? tree; return gibbsWork(whole, whole.leaf ?? leaf, now); }],
      verdict: () => [of(now.world, now.leaf_rows, now.seed, now.truth, now.counts, now.sweeps, now.tying, now.burn), () => worldWork(shape, this.samples(), now, ownSample(this))],
      network: () => [of(now.seed, now.order), () => tableWork(now)],
    }[name]?.();
  }

  takeResults() {
    const { name } = this.step, [key, begin] = this.lesson.told ? this.workOf(name) ?? [] : [];
    if (begin && this.jobs[name]?.key !== key && !this.isDragged) {
      this.jobs[name]?.end();
      this.scrub = null;
      this.jobs[name] = new Job(key, begin(), () => this.refresh());
    }
    const found = begin && this.jobs[name]?.key === key ? this.jobs[name].result : null;
    this.results = found ? { [{ verdict: "world", network: "table" }[name] ?? name]: found } : {};
    this.isWaiting = Boolean(begin) && !found;
  }

  // The sweep that the film shows; all of them unless it is scrubbed.
  sweepsSoFar() { const total = this.results.gibbs?.p.length ?? 0; return Math.min(Math.floor(this.scrub ?? total), total); }
  isScrubbed() { return this.sweepsSoFar() < (this.results.gibbs?.p.length ?? 0); }
  sweepOnShow() { return this.results.gibbs?.film[this.sweepsSoFar() - 1]; }

  // The tree of the step and its counts now.
  takeTree() {
    this.filledIn = null;
    const { step: { name }, lesson, now, subject } = this, table = name === "network" ? tableTree(lesson.order) : null;
    this.shape = table ? { ...table, leaf: table.cells[lesson.cell], asked: table.asked[lesson.cell] } : name === "verdict" ? worldOf(now.world, subject, lesson, now.truth) : subject;
    this.tree = treeOf(this.shape.parent, this.shape.ends, name === "verdict" ? sampleOfWorld(this) : table ? table.counts : now.counts, this.shape.outcomes);
    this.leaf = this.shape.leaf;
    this.takeResults();
  }

  // Makes everything again that does not change while one drags. Whoever came by keyboard stays at
  // the same control; if it is gone, as Reveal is, at the words that it has brought.
  build() {
    const held = this.root.getRootNode().activeElement, key = controlKey(held);
    this.makeWords();
    if (!held || held.isConnected) return;
    const again = [...this.root.querySelectorAll("button, input, summary")].find((one) => controlKey(one) === key);
    (again ?? this.words).focus({ preventScroll: true });
  }

  // A page without a server lets its reader choose the example itself.
  explainOn(source) {
    this.update({ ...this.data, source });
    this.writeAddress(false);
  }

  // Goes back to guessing.
  hide() {
    this.revealed.delete(this.step.name);
    this.set("told", false, true, true);
  }

  makeWords() {
    this.syncs = [];
    this.prepare = this.seated = null;
    if (this.lesson.told) this.revealed.add(this.step.name);
    this.takeTree();
    Object.assign(this, gatherFacts(this));
    const { step, lesson } = this, last = STEPS.length - 1;
    if (!this.data.classroom) this.choice.replaceChildren(...Object.entries(SOURCES).map(([name, words]) => button(words, () => this.explainOn(name), { "aria-pressed": String(name === this.data.source) })));
    this.steps.replaceChildren(...STEPS.map((other, number) => button(`${number + 1}. ${other.title}`, () => this.go(number), { "aria-current": number === lesson.step ? "step" : false })));
    const current = this.steps.children[lesson.step];
    this.steps.scrollLeft = current.offsetLeft - this.steps.offsetLeft - 20;
    this.question.textContent = step.question;
    this.words.replaceChildren(...(lesson.told ? explanationWords(this) : guessWords(this)));
    this.arrangePictures();
    const forward = lesson.told
      ? lesson.step < last ? [button(`Next: ${STEPS[lesson.step + 1].title}`, () => this.go(lesson.step + 1), { class: "primary" })] : [button("From the beginning", () => this.go(0))]
      : [button("Reveal", () => this.reveal(), { class: "primary" })];
    const hide = lesson.told ? [button("Guess again", () => this.hide())] : [];
    const skip = !lesson.told && lesson.step < last ? [button("Skip", () => this.go(lesson.step + 1))] : [];
    const back = lesson.step > 0 ? [button("Back", () => this.go(lesson.step - 1))] : [];
    this.tools.replaceChildren(...back, ...forward, ...skip, ...hide, element("span", { class: "place", text: `${lesson.step + 1} of ${last + 1}` }), element("span", { class: "gap" }), ...(this.data.classroom ? this.classroom.buttons() : []));
  }

  // Controls and charts stand under the axis, where they stay in sight while something is dragged; so do the
  // guesses of a class, which then take the charts' place. The code to join by is shown while it guesses.
  arrangePictures() {
    const hands = this.words.querySelector(".hands");
    this.picture.querySelector(":scope > .hands")?.remove();
    if (hands && this.broad.matches && !this.classroom.isOpen) this.axis.box.after(hands);
    if (!this.lesson.told) this.words.append(this.classroom.entrance);
  }

  refresh() {
    if (!this.data) return;
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.draw());
  }

  draw() {
    this.frames = (this.frames ?? 0) + 1;
    this.takeTree();
    this.prepare?.();
    Object.assign(this, gatherFacts(this));
    const { shape, step: { name } } = this;
    setText(this.who, shape.asked);
    setText(this.caption, captionOf(this));
    const groups = ["dirichlet", "restaurant", "gibbs", "network"].includes(name) ? groupsOf(this.tree, this.now.tying) : null;
    this.treePicture.show(shape, this.tree, { groups, notes: treeNotes(this), estimates: treeEstimates(this), dragFrame: this.isDragged ? this.frames : 0 });
    hide(this.reset, !shape.editable || String(this.now.counts) === String(this.subject.first));
    this.axis.show(axisMarks(this), this.classroom.crowd(), this.isDragged ? this.frames : 0);
    for (const sync of this.syncs) sync();
    if (!this.isDragged) this.classroom.draw();
    fitSlide(this);
  }
}

// What a control is known by when it has been made again.
function controlKey(one) { return one && `${one.tagName} ${one.dataset.value ?? ""} ${one.getAttribute("aria-label") ?? one.textContent}`; }
