// The classroom: the address of what is shown as a QR code, and a room in which a class guesses. The
// room is the server's; this screen proves by its key that it opened it, and asks how many guesses
// fell where. Nobody can ask who.

const ROOM = "probtrees class room", ASK_EVERY = 1500, MOST_LETTERS = 400;

class ClassPanel {
  constructor(view) {
    this.view = view;
    this.box = element("section", { class: "classroom", "aria-label": "Class", hidden: true });
    this.entrance = element("div", {});
    try { this.room = JSON.parse(window.sessionStorage.getItem(ROOM)); } catch { this.room = null; }
    this.timer = setInterval(() => this.ask(), ASK_EVERY);
  }

  end() { clearInterval(this.timer); }

  get isOpen() { return Boolean(this.room || this.showsCode); }

  // Where the server is: the address without the page's name.
  place(path) {
    const base = window.__streamlit?.BACKEND_BASE_URL ?? window.location.origin + window.location.pathname.replace(/learn\/?$/, "");
    return `${base.replace(/\/$/, "")}/${path}`;
  }

  buttons() {
    const qr = button("QR code", () => { this.showsCode = !this.showsCode; this.view.build(); this.view.refresh(); }, { "aria-pressed": Boolean(this.showsCode) });
    const room = button(this.room ? "Close the room" : "Open a room", () => (this.room ? this.close() : this.open()), { title: "Phones join by a code and guess; nobody sees whose guess is whose" });
    return [qr, room];
  }

  // Why phones cannot follow a code, if they cannot: its address then means the phone itself.
  get warning() {
    const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(window.location.hostname) && !this.view.data.classroom.phones;
    return isLocal ? "Only browsers on this machine can open this address: on a phone it means the phone itself. For a class start the server with --address 0.0.0.0." : "";
  }

  post(path, form) {
    return fetch(this.place(path), { method: "POST", body: new URLSearchParams(form) }).then((answer) => answer.json());
  }

  async open() {
    const { why_no_rooms: why, page } = this.view.data.classroom;
    this.problem = why;
    if (why) { this.draw(); return; }
    const room = await this.post("class/open", { page, step: this.view.lesson.step });
    if (room.problem) { this.problem = room.problem; this.draw(); return; }
    this.keep(room);
    await this.ask();
// The guesses stand at the foot of the picture: it comes to the top of the screen.
    if (!this.view.data.embedded) this.view.root.scrollIntoView({ block: "start" });
  }

  // Phones are told that the session is over; a server that does not answer has no room any more.
  async close() {
    const { code, key } = this.room;
    this.tally = null;
    this.keep(null);
    await this.post(`class/${code}/close`, { key }).catch(() => null);
  }

  keep(room) {
    this.room = room;
    window.sessionStorage.setItem(ROOM, JSON.stringify(room));
    this.view.build();
    this.view.refresh();
  }

  async ask() {
    const { room } = this;
    if (!room || document.hidden) return;
    try {
      const tally = await this.post(`class/${room.code}/tally`, { key: room.key, step: this.view.lesson.step, clue: classClue(this.view), answer: classAnswer(this.view), shown: classPicture(this.view) });
      if (this.room?.code !== room.code) return;
      if (tally.problem) { this.problem = tally.problem; this.keep(null); return; }
      if (JSON.stringify(tally) !== JSON.stringify(this.tally)) this.view.refresh();
      this.tally = tally;
    } catch { return; }
    this.draw();
  }

  draw() {
    const key = JSON.stringify([this.problem, this.room, this.showsCode, this.tally, this.isSecret, window.location.search, this.view.lesson.told, this.view.facts?.best]);
    if (key === this.key) return;
    this.key = key;
    const parts = this.problem ? [element("p", { class: "fine", role: "status", text: this.problem })] : [];
    if (this.room) parts.push(...(this.view.lesson.told ? [this.roomLine()] : []), ...this.guesses());
    else if (this.showsCode) parts.push(this.linkBox());
    this.box.hidden = parts.length === 0;
    this.box.replaceChildren(...parts);
    this.entrance.replaceChildren(...(this.room ? [this.roomBox()] : []));
    this.view.fitKey = null;
    fitSlide(this.view);
  }

  roomBox() {
    const qr = element("img", { class: "qr", alt: `QR code of ${this.room.place}`, src: this.place(`class/qr.svg?to=class/${this.room.code}`) });
    return element("div", { class: "room" }, qr, element("div", {}, element("b", { class: "code", text: this.room.code }), this.placeWords(), ...this.warned()));
  }

  // The address, which may break before the code, not within.
  placeWords(before = "") {
    const { code, place } = this.room;
    return element("p", { class: "fine" }, before, place.slice(0, -code.length), element("wbr", {}), element("b", { text: code }));
  }

  // With the answer only those who come late need the code.
  roomLine() { return this.placeWords("The room: "); }

  // The link of what is shown, as short as it can be: what is as usual is left out.
  linkBox() {
    const choices = new URLSearchParams(window.location.search);
    for (const name of ["v", "embed", "embed_options"]) choices.delete(name);
    const to = `learn?${choices}`, isHidden = this.view.data.classroom.phones && ["localhost", "127.0.0.1", "[::1]"].includes(window.location.hostname);
    return element("div", { class: "room" }, element("img", { class: "qr", alt: "QR code of this step", src: this.place(`class/qr.svg?to=${encodeURIComponent(to)}`) }),
      element("div", {}, element("p", { class: "fine", text: isHidden ? "The code holds this machine's address in its network." : this.place(to) }), ...this.warned()));
  }

  warned() { return this.warning ? [element("p", { class: "refused", role: "note", text: this.warning })] : []; }

  // Who has not guessed yet may copy what he sees: the teacher can hide it until the answer.
  guesses() {
    const total = this.tally?.guesses ?? 0, words = `${countText(total)} ${total === 1 ? "guess" : "guesses"}`, { told } = this.view.lesson;
    const toggle = button(this.isSecret ? "Show the guesses" : "Hide the guesses", () => { this.isSecret = !this.isSecret; this.view.refresh(); this.draw(); });
    const isHidden = this.isSecret && !told, shown = isHidden || this.hasCrowd ? element("p", { class: "total", text: words }) : this.histogram();
    return [shown, ...(told ? [] : [toggle])];
  }

  // Guesses of the chance in the leaf are dots on the number line itself.
  get hasCrowd() { const { guess } = this.view.step; return guess.is_chance !== false && !guess.options; }
  crowd() { return this.room && this.tally && this.hasCrowd && !(this.isSecret && !this.view.lesson.told) ? this.tally.bins : null; }

  histogram() {
    const bins = this.tally?.bins ?? [], total = this.tally?.guesses ?? 0, { facts, step, lesson } = this.view;
    const words = `${countText(total)} ${total === 1 ? "guess" : "guesses"}`, options = Object.values(step.guess.options ?? {});
    if (options.length) return choiceBars(options, bins, words, lesson.told ? facts.best : null);
    const last = bins.length - 1, bars = bins.map((count, bin) => [Math.max((bin - 0.5) / last, 0), Math.min((bin + 0.5) / last, 1), count]), answer = facts[step.guess.answer];
    const marks = lesson.told && Number.isFinite(answer) ? [{ x: answer, label: NAMES[step.guess.answer] ?? "expected", lane: 7 }] : [];
    return chart({ bars, marks, xRange: SHARE, yRange: [0, 2 * Math.ceil(Math.max(4, ...bins) / 2)], xText: asPercent, xTitle: "what the class guesses", yTitle: words, alt: `${words} of the class` });
  }
}

// What phones are told while the class guesses: who is asked about, the counts, and what comes.
function classClue({ facts, step, shape }) {
  if (!facts) return "";
  const seen = [["the leaf", facts.cases, facts.rows], ["its parent", facts.parentCases, facts.parentRows], ["all", facts.allCases, facts.allRows]];
  const counts = seen.map(([who, cases, rows]) => `${who} ${countText(cases)} of ${countText(rows)}`).join(", ");
  const clue = step.name === "verdict" ? `The truth: ${shape.title}. From ${facts.repeats} samples, which method comes closest to it?` : fillWords(step.clue, facts);
  return `${shape.asked}: ${counts}. ${clue}`.slice(0, MOST_LETTERS);
}

// What phones draw: the tree, and what stands on the number line but the teacher's own guess.
function classPicture(view) {
  const { shape, tree, leaf, facts, step } = view;
  if (!facts || tree.parent.length > 15) return "";
  const marks = axisMarks(view).filter(({ name, value }) => name !== "guess" && Number.isFinite(value)).map(({ name, label, value, kind }) => ({ name, label, value, kind }));
  const answer = view.lesson.told && Number.isFinite(facts[step.guess.answer]) ? facts[step.guess.answer] : null;
  return JSON.stringify({ question: step.question, isChance: step.guess.is_chance !== false && !step.guess.options, answer, marks,
    shape: { parent: shape.parent, names: shape.names, leaf }, tree: { cases: tree.cases, rows: tree.rows } });
}

// What phones are told once the screen shows the answer; nothing before it is known.
function classAnswer(view) {
  const { facts, step, lesson } = view, { answer, options } = step.guess, value = facts?.[answer];
  if (!lesson.told || !facts) return "";
  if (options) return facts.best === undefined ? "" : `Closest: ${facts.best}, typically ${pointsText(facts.bestError)} off.`;
  if (!answer) return `${knownTruth(view) === null ? "Nobody knows the truth." : `The truth is ${percent(knownTruth(view))}.`} The raw share says ${percent(facts.mle)}.`;
  if (!Number.isFinite(value)) return "";
  return step.guess.is_chance !== false ? `${NAMES[answer]} says ${percent(value)}.` : `Expected: ${percent(value)} of the rows.`;
}

// How often each answer was chosen.
function choiceBars(options, bins, words, best) {
  const most = Math.max(4, ...bins);
  const lines = options.map((label, at) => element("div", { class: `choice ${label === best ? "best" : ""}` }, element("span", { text: label }),
    element("i", {}, element("b", { style: `width:${100 * (bins[at] ?? 0) / most}%` })), element("span", { text: countText(bins[at] ?? 0) })));
  return element("div", { class: "choices", role: "group", "aria-label": `${words} of the class` }, element("p", { class: "fine", text: words }), ...lines);
}
