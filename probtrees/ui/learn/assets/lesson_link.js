// The lesson as a link has it, and back: the address always says which step, and how all is set.

const NUMBERS_IN = { counts: "-", c: "," };
const WORDS_IN = new Set(["tying", "world", "order"]);

function lessonOf(texts, steps) {
  const lesson = {};
  for (const [name, text] of Object.entries(texts)) {
    if (name === "step") lesson.step = steps.findIndex((step) => step.name === text || String(step.number) === text);
    else if (name in NUMBERS_IN) lesson[name] = text.split(NUMBERS_IN[name]).map(Number);
    else if (name === "told") lesson.told = text === "1";
    else lesson[name] = WORDS_IN.has(name) ? text : Number(text);
  }
  if (!(lesson.step >= 0)) lesson.step = 0;
  return lesson;
}

function textsOf(lesson, steps) {
  const short = (value) => String(Number(value.toPrecision(6)));
  return Object.fromEntries(Object.entries(lesson).map(([name, value]) => {
    if (name === "step") return [name, steps[value].name];
    if (name in NUMBERS_IN) return [name, value.map(short).join(NUMBERS_IN[name])];
    if (name === "told") return [name, value ? "1" : "0"];
    return [name, WORDS_IN.has(name) ? value : short(value)];
  }));
}

// What is as usual is left out, which keeps the link short.
function writeAddress(texts, usual, push) {
  const address = new URL(window.location.href);
  if (!address.searchParams.has("v")) address.searchParams.set("v", "1");
  for (const [name, text] of Object.entries(texts)) {
    if (text === usual[name]) address.searchParams.delete(name);
    else address.searchParams.set(name, text);
  }
  if (address.href !== window.location.href) window.history[push ? "pushState" : "replaceState"](window.history.state, "", address);
}

function textsInAddress(usual) {
  const found = new URL(window.location.href).searchParams;
  return Object.fromEntries(Object.entries(usual).map(([name, text]) => [name, found.get(name) ?? text]));
}
