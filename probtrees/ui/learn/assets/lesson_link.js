// The lesson as a link has it, and back: the address always says which step, and how all is set. The
// names are a promise: a link on a slide must work next year. What makes no sense is as usual.

const LIMITS = { strength: 20, branch: 20, weight: 150, sweeps: 5000, leaf_rows: MOST_LEAF_ROWS, c: [0.05, 100] };
const MOST_COUNT = 100000, MOST_GROUPS = 8;

const short = (value) => String(Number(value.toPrecision(6)));
const numberFrom = (low, high, isWhole = false) => (text) => {
  const value = text.trim() === "" ? NaN : Number(text);
  return value >= low && value <= high && (!isWhole || Number.isInteger(value)) ? value : undefined;
};
const wholeFrom = (low, high) => numberFrom(low, high, true);
const oneOf = (...names) => (text) => (names.includes(text) ? text : undefined);
const listOf = (mark, read, lengths) => (text) => {
  const values = text.split(mark).map(read);
  return lengths.includes(values.length) && !values.includes(undefined) ? values : undefined;
};
const stepFrom = (text) => { const at = STEPS.findIndex((step) => step.name === text || String(step.number) === text); return at < 0 ? undefined : at; };

// By name: what it is unless it is set, how it is read, how it is written.
const FIELDS = {
  step: [0, stepFrom, (step) => STEPS[step].name],
  counts: [GENE_COUNTS, listOf("-", wholeFrom(0, MOST_COUNT), [6, 8]), (counts) => counts.map(short).join("-")],
  truth: [0, (text) => (text === "0" ? 0 : numberFrom(0.01, 0.99)(text))],
  sample: [0, wholeFrom(0, 200)],
  strength: [1, numberFrom(0, LIMITS.strength)],
  branch: [4, numberFrom(0, LIMITS.branch)],
  c: [[2], listOf(",", numberFrom(...LIMITS.c), Array.from({ length: MOST_GROUPS }, (_, i) => i + 1)), (c) => c.map(short).join(",")],
  tying: ["single", oneOf("single", "level", "parent", "none"), String],
  sweeps: [1000, wholeFrom(10, LIMITS.sweeps)],
  seed: [0, wholeFrom(0, 2 ** 31)],
  burn: [10, wholeFrom(0, 90)],
  weight: [1, numberFrom(0, LIMITS.weight)],
  world: ["usual", oneOf("usual", "own", ...Object.keys(WORLDS)), String],
  leaf_rows: [0, wholeFrom(0, MOST_LEAF_ROWS)],
  order: ["weight", oneOf("weight", "height"), String],
  cell: [0, wholeFrom(0, CELLS.length - 1)],
  told: [false, (text) => ({ 0: false, 1: true })[text], (told) => (told ? "1" : "0")],
  walked: [0, wholeFrom(0, 10000)],
};

function lessonOf(texts) {
  return Object.fromEntries(Object.entries(FIELDS).map(([name, [usual, read]]) => [name, (typeof texts[name] === "string" ? read(texts[name]) : undefined) ?? usual]));
}

function textsOf(lesson) {
  return Object.fromEntries(Object.entries(FIELDS).map(([name, [, , write = short]]) => [name, write(lesson[name])]));
}

const USUAL = textsOf(lessonOf({}));

// What is as usual is left out, which keeps the link short. A page without a server has no history of
// its own where it is opened as a file: then it is what its frame says.
function writeAddress(texts, push) {
  const address = new URL(window.location.href);
  if (!address.searchParams.has("v")) address.searchParams.set("v", "1");
  for (const [name, text] of Object.entries(texts)) {
    if (text === (USUAL[name] ?? "")) address.searchParams.delete(name);
    else address.searchParams.set(name, text);
  }
  if (address.href === window.location.href) return;
  try { window.history[push ? "pushState" : "replaceState"](window.history.state, "", address); } catch { /* about:srcdoc has no address */ }
}

function textsInAddress() { return Object.fromEntries(new URL(window.location.href).searchParams); }
