// Formulas as MathML, made of text nodes only. They are written in a small language:
// {a}/{b} is a fraction, √{a} a root, x_k a symbol with an index, Σ_a a sum over a, Σ_l∈a one over the
// l of a; everything else stands for itself. A symbol of which a value is known can be printed as its number.

const MATH = "http://www.w3.org/1998/Math/MathML";
const TOKEN = /[{}/()]|√|Σ_\w+(?:∈\w+)?|l∈a|[A-Za-zλθ]+(?:_\w+)?|[0-9][0-9.,]*|[^\s]/gu;

function mathElement(name, ...children) {
  const element = document.createElementNS(MATH, name);
  for (const child of children) element.append(child);
  return element;
}

function symbolElement(token, values) {
  const known = values?.[token];
  const [name, index] = token.split("_");
  let element;
  if (known !== undefined) element = mathElement("mn", known);
  else if (index) element = mathElement("msub", mathElement("mi", name), mathElement("mi", index));
  else element = mathElement("mi", name);
  element.dataset.symbol = token;
  return element;
}

function parseFormula(text, values) {
  const tokens = text.match(TOKEN) ?? [];
  let at = 0;
  const row = (end) => {
    const parts = [];
    while (at < tokens.length && tokens[at] !== end) parts.push(part());
    at += 1;
    return mathElement("mrow", ...parts);
  };
  const part = () => {
    const token = tokens[at++];
    if (token === "{") {
      const upper = row("}");
      if (tokens[at] !== "/") return upper;
      at += 2;
      return mathElement("mfrac", upper, row("}"));
    }
    if (token === "√") { at += 1; return mathElement("msqrt", row("}")); }
    if (token.startsWith("Σ")) {
      const sum = mathElement("munder", mathElement("mo", "∑"), mathElement("mi", token.slice(2)));
      sum.dataset.symbol = token.slice(2);
      return sum;
    }
    if (/^[A-Za-zλθ]/.test(token)) return symbolElement(token, values);
    const element = mathElement(/^[0-9]/.test(token) ? "mn" : "mo", token);
    if ("()".includes(token)) element.setAttribute("stretchy", "false");
    return element;
  };
  return row(undefined);
}

// One formula: in symbols, or with the reader's numbers filled in.
function formulaElement(text, values) {
  const math = mathElement("math", parseFormula(text, values));
  math.setAttribute("display", "block");
  return math;
}
