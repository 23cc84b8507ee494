// How nodes are put into words, and how they are found by words. The same digits as words.py.

function percent(p) {
  if (p === 0 || p === 1) return `${p * 100} %`;
  if (p < 1e-5) return "< 0.001 %";
  if (p > 1 - 1e-5) return "> 99.999 %";
  const extreme = Math.min(p, 1 - p);
  return `${(p * 100).toFixed(extreme >= 0.01 ? 1 : extreme >= 0.001 ? 2 : 3)} %`;
}

const WHOLE = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

// Of fractions, as weighted rows have them, as much as people read.
function count(value) {
  if (value < 1000 && Number.isInteger(value)) return String(value);
  if (Math.abs(value - Math.round(value)) < 1e-9 || value >= 9.95) return WHOLE.format(value);
  return value < 0.05 ? String(Number(value.toPrecision(1))) : value.toFixed(1);
}

// The legend names the outcome once; a card says only how many of how many.
function countsText(data, node, withShare = true) {
  const rows = data.rows[node], cases = data.cases[node];
  if (!(rows > 0)) return "no rows";
  return `${count(cases)} of ${count(rows)}${withShare ? ` (${percent(cases / rows)})` : ""}`;
}

// A long name keeps its beginning and its end, which tell it from others; it is cut between words
// where there are some.
function shortenMiddle(text, most) {
  if (text.length <= most) return text;
  const tail = Math.floor((most - 1) / 2);
  let begin = most - 1 - tail, end = text.length - tail;
  const before = text.lastIndexOf(" ", begin), after = text.indexOf(" ", end - 1);
  if (before >= begin / 2) begin = before;
  if (after >= 0 && after < text.length - tail / 2) end = after;
  return `${text.slice(0, begin).trimEnd()}…${text.slice(end).trimStart()}`;
}

// The condition of a node with its column, whose name alone is shortened.
function shortTitle(data, node, most) {
  const parent = data.parent[node];
  if (parent < 0) return data.title[node];
  const name = data.names[data.column[parent]];
  return `${shortenMiddle(name, most)}${shortenMiddle(data.title[node].slice(name.length), 120)}`;
}

// A share that is not all of it is never rounded to all of it.
function wholePercent(share) {
  const rounded = Math.round(share * 100);
  if (rounded === 100 && share < 1 - 1e-9) return share >= 0.9995 ? "over 99.9 %" : `${Math.floor(share * 1000) / 10} %`;
  return `${rounded} %`;
}

// Where the slider stands, 0 to 100, for a number of groups, and the other way: by ratios, since
// from 2 to 4 groups is as large a step as from 500 to 1,000.
function detailPlace(groups, leaves) {
  if (leaves <= 2) return 100;
  return Math.min(Math.max(100 * Math.log(groups / 2) / Math.log(leaves / 2), 0), 100);
}

function detailGroups(place, leaves) {
  return place >= 100 ? leaves : Math.max(2, Math.round(2 * (leaves / 2) ** (place / 100)));
}

// The outcome with its column: a 1 alone says nothing.
function outcomeTitle(data) { return `${shortenMiddle(data.target, 40)} = ${data.outcome}`; }

// Whether all branches of a node say more than it does itself, or less.
function branchesSide(data, node) {
  const first = data.first[node], own = data.answer[node], far = 5e-4; // what is printed alike is alike
  const answers = data.answer.slice(first, first + data.total[node]).filter((_, k) => data.rows[first + k] > 0);
  if (answers.every((answer) => answer > own + far)) return "above";
  return answers.every((answer) => answer < own - far) ? "below" : "";
}

function describe(data, node) {
  const lines = [data.title[node], `${outcomeTitle(data)}: ${countsText(data, node)}`];
  if (data.acted) lines.push(decisionText(data, node));
  if (data.first[node] >= 0) {
    lines.push(`splits on ${data.split[node]}; ${count(data.below[node])} leaves below`);
    if (data.again?.[node]) lines.push(`${data.again[node]}: so many trees grown without a part of the rows have this split`);
    lines.push(`${data.answerWords}: ${percent(data.answer[node])}`);
    const side = branchesSide(data, node);
    if (side) lines.push(`all its branches lie ${side} it: each is smoothed by itself, so they need not average to it`);
    return lines.join("\n");
  }
  lines.push(`estimate: ${percent(data.answer[node])}`);
  if (data.other) lines.push(`${data.otherName}: ${percent(data.other[node])}`);
  return lines.join("\n");
}

// What is done with the rows of a group.
function decisionText(data, node) {
  const share = data.acted[node];
  return share >= 1 ? "act" : share <= 0 ? "leave" : `${data.first[node] < 0 ? "by lot," : "act on"} ${wholePercent(share)}`;
}

// Matches all parts of a query: "rows < 5", "chance > 90 %", "observed > 0.5", "class = sick", or
// text in a node's branch. Inner nodes are found by the number on their card. The leaf table's
// filter reads the same words; n and p are short for rows and chance. A comma between two
// comparisons may be left out.
const ASKED = "n|rows|cases|p|chance|observed";
const LEFT_OUT = new RegExp(`([<>=≤≥]\\s*[\\d.,]+\\s*%?)\\s+(?=(?:${ASKED}|class)\\s*[<>=≤≥])`, "gi");

function queryParts(query) {
  return query.replace(LEFT_OUT, "$1, ").split(/\s+(?:and|&&)\s+|,(?!\d)/i).map((part) => part.trim()).filter(Boolean);
}

// What nobody can find, in words: a name that is none, or a number that is none.
function misunderstood(data, query) {
  for (const part of queryParts(query)) {
    if (numberTest(data, part)) continue;
    const [, name, , value] = part.match(/^(.+?)\s*(<=|>=|<|>|=|≤|≥)\s*(.*)$/) ?? [];
    if (name && new RegExp(`^(${ASKED})$`, "i").test(name)) return `“${part}” is not understood: ${name} is compared with a number.`;
    const test = textTest(data, plain(part));
    if (data.title.some((_, node) => test(node))) continue;
    if (name && ["class", plain(data.target)].includes(plain(name))) return `No group is most probably “${value}”; the classes are ${data.classes.slice(0, 8).join(", ")}.`;
    if (name) return `No condition reads “${part}”. Numbers are asked of rows, cases, observed and chance; columns are found by their cuts in the tree.`;
    return `No condition holds “${part}”.`;
  }
  return "";
}

// Small letters without accents, and signs as conditions have them.
function plain(text) {
  return text.toLowerCase().normalize("NFD").replace(/[\u0300-\u036f]/g, "").replace(/\s*<=\s*/g, " ≤ ").replace(/\s*>=\s*/g, " ≥ ")
    .replace(/\s*([<>=])\s*/g, " $1 ").replace(/\s+/g, " ").trim();
}

// The titles of a tree in that form, made once: there may be ten thousands of them.
const plainTitles = new WeakMap();
function titlesOf(data) {
  if (!plainTitles.has(data.title)) plainTitles.set(data.title, data.title.map(plain));
  return plainTitles.get(data.title);
}

function findNodes(data, query) {
  const tests = queryParts(query).map((part) => numberTest(data, part) ?? textTest(data, plain(part)));
  const found = [], empty = new Set(data.empty);
  for (let node = 0; node < data.parent.length; node++) if (!empty.has(node) && tests.every((test) => test(node))) found.push(node);
  return found;
}

function numberTest(data, part) {
// A number may be a share or a percentage, with a point or a comma: "0.9", "0,9", "90 %" and "90",
// as no share is above 1.
  const asked = part.match(/^(n|rows|cases|p|chance|observed)\s*(<=|>=|<|>|=|≤|≥)\s*([0-9]*[.,]?[0-9]+)\s*(%?)$/i);
  if (!asked) return null;
  const number = Number(asked[3].replace(",", ".")), sign = asked[2];
  const isShare = /^(p|chance|observed)$/i.test(asked[1]);
  const limit = asked[4] || (isShare && number > 1) ? number / 100 : number;
  return {
    n: (node) => compare(data.rows[node], sign, limit),
    rows: (node) => compare(data.rows[node], sign, limit),
    cases: (node) => compare(data.cases[node], sign, limit),
    p: (node) => compare(data.answer[node], sign, limit),
    chance: (node) => compare(data.answer[node], sign, limit),
    observed: (node) => data.rows[node] > 0 && compare(data.cases[node] / data.rows[node], sign, limit),
  }[asked[1].toLowerCase()];
}

function textTest(data, text) {
  const named = text.match(/^(.+?)\s*=\s*(.+)$/);
  const wanted = named && [plain(data.target), "class"].includes(named[1]) ? named[2] : null;
  const titles = titlesOf(data);
  return (node) => titles[node].includes(text)
    || (wanted !== null && data.first[node] < 0 && plain(data.classes[data.best[node]]) === wanted);
}

function compare(value, sign, limit) {
  if (sign === "<") return value < limit;
  if (sign === ">") return value > limit;
  if (sign === "<=" || sign === "≤") return value <= limit;
  if (sign === ">=" || sign === "≥") return value >= limit;
  return Math.abs(value - limit) < 1e-9;
}
