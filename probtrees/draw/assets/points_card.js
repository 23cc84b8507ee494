// Adds up the points of one person. Of the table it holds numbers alone, see points_card.py.
const card = JSON.parse(document.getElementById("card").textContent);
const fields = [...document.querySelectorAll("[data-field]")];
const value = (field) => {
  if (field.value === "") return null;
  if (field.type === "date") return Date.parse(field.value) / 864e5;
  const [hours, minutes] = field.value.split(":");
  const number = Number(hours.replace(",", ".")) + Number(minutes ?? 0) / 60;
  return Number.isFinite(number) ? number : null;
};
// A number beyond those of training is taken to the nearest of them: nobody knows what comes there.
const bounded = (number, { low, high }) => number === null || low === undefined ? number
  : Math.min(Math.max(number, Number(low)), Number(high));
const meets = (x, [, low, high, codes, missing]) => missing || x === null ? missing && x === null
  : codes ? codes.includes(x) : (low === null || x > low) && (high === null || x <= high);
const lineOf = (part, x) => part.findIndex(({ when }) =>
  when.every((ways) => ways.some((way) => meets(x[way[0]], way))));
const show = () => {
  const x = {}, beyond = [];
  for (const field of fields) {
    const given = value(field), taken = x[field.dataset.field] = bounded(given, field.dataset);
    const wrong = field.value && given === null ? "was not understood, and is counted as not recorded" : given !== taken && `is beyond what was seen (${field.placeholder}), and counted as its end`;
    if (wrong) beyond.push(`${field.ariaLabel} ${field.value} ${wrong}.`);
  }
  const given = fields.filter((field) => value(field) !== null).length;
  let sum = 0;
  document.querySelectorAll(".own").forEach((row) => row.classList.remove("own"));
  card.parts.forEach((part, at) => {
    const line = lineOf(part, x);
    if (line < 0) return;
    sum += part[line].points;
    document.getElementById(`p${at}-${line}`).classList.toggle("own", given > 0);
  });
  const told = card.risks.find(([total]) => total === sum);
  document.getElementById("sum").textContent = given ? sum : "____";
  document.getElementById("risk").textContent = given && told ? told[1] : "____";
  document.getElementById("given").textContent = `${given} of ${fields.length} values given`;
  document.getElementById("beyond").textContent = beyond.join(" ");
  const own = document.getElementById(`r${Math.min(Math.max(sum, card.ends[0]), card.ends[1])}`);
  if (own && given) own.classList.add("own");
};
document.addEventListener("input", show);
show();
