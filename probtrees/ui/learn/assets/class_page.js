// The page of a phone: it draws the tree, its guess and, with the answer, the class on the number line; it
// shows the next question by itself, and remembers its own guesses, which nobody else knows.
{
  const { state, bins, shown } = document.currentScript.dataset, place = location.pathname, [asked] = state.split("-"), MEMORY = `guesses ${place}`;
  const read = () => { try { return JSON.parse(sessionStorage.getItem(MEMORY)) ?? {}; } catch { return {}; } };
  const remember = (what) => { const all = read(); all[asked] = { ...all[asked], ...what }; sessionStorage.setItem(MEMORY, JSON.stringify(all)); };
  let told = null;
  try { told = JSON.parse(shown); } catch { /* the screen has not shown anything yet */ }

  const form = document.querySelector("form[method=post]"), slider = form?.querySelector("input[type=range]");
  form?.addEventListener("submit", ({ target }) => {
    const chosen = target.querySelector("input:checked")?.parentNode.textContent.trim();
    remember(chosen ? { words: chosen } : { value: Number(target.elements.guess.value) / 100, words: `${target.elements.guess.value} %` });
  });

  const where = document.getElementById("picture"), guess = read()[asked];
  if (told && where) {
    const { shape, tree, marks, isChance, answer, question } = told, axis = new LessonAxis(), picture = new LessonTree(() => {}, () => {});
    where.append(picture.box, axis.box);
    picture.show({ ...shape, ends: [], editable: false }, { parent: shape.parent, ...tree });
    const draw = (value) => axis.show([...marks, ...(isChance && value !== undefined ? [{ name: "guess", label: "you", value, kind: "guess" }] : [])], isChance ? JSON.parse(bins) : null);
    draw(guess?.value);
    slider?.addEventListener("input", () => draw(Number(slider.value) / 100));
    if (answer !== null) remember({ question, answer });
  }
  const mine = document.getElementById("mine");
  if (mine && guess?.words) Object.assign(mine, { hidden: false, textContent: `Your guess: ${guess.words}.` });

  // The session is over: one's guesses, where intuition failed most first.
  const list = document.getElementById("guesses"), judged = Object.values(read()).filter((one) => one.answer !== undefined && one.value !== undefined).map((one) => ({ ...one, off: Math.abs(one.value - one.answer) })).sort((a, b) => b.off - a.off);
  if (list && judged.length) {
    setText(document.querySelector("h1"), "The session is over");
    list.previousElementSibling.hidden = true;
    const line = (cells, kind) => element("tr", {}, ...cells.map((text) => element(kind, { text })));
    list.append(element("p", { text: `Your intuition was ${pointsText(judged.reduce((sum, { off }) => sum + off, 0) / judged.length)} off on average; furthest first:` }),
      element("table", {}, line(["question", "you", "answer", "off"], "th"), ...judged.map(({ question, value, answer, off }) => line([question, percent(value), percent(answer), pointsText(off)], "td"))));
  }

  if (state !== "over") setInterval(async () => {
    if (document.hidden) return;
    const answer = await fetch(`${place}/open`, { cache: "no-store" }).catch(() => null);
    const now = answer?.headers.get("etag")?.replace(/^W\/|"/g, "");
    if (answer?.status === 410 || (now && now !== state)) location.replace(place);
  }, 3000);
}
