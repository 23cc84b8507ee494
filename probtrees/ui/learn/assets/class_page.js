// The page of a phone: it shows the next question, the answer or the end of the session by itself, and
// remembers its own guess, which nobody else knows.
const { state } = document.currentScript.dataset, place = location.pathname;
const [asked] = state.split("-"), memory = `guess ${place} ${asked}`;

document.querySelector("form[method=post]")?.addEventListener("submit", ({ target }) => {
  const chosen = target.querySelector("input:checked")?.parentNode.textContent.trim();
  sessionStorage.setItem(memory, chosen ?? `${target.elements.guess.value} %`);
});

const mine = document.getElementById("mine"), guess = sessionStorage.getItem(memory);
if (mine && guess) Object.assign(mine, { hidden: false, textContent: `Your guess: ${guess}.` });

setInterval(async () => {
  if (document.hidden) return;
  const answer = await fetch(`${place}/open`, { cache: "no-store" }).catch(() => null);
  const now = answer?.headers.get("etag")?.replace(/^W\/|"/g, "");
  if (answer?.status === 410 || (now && now !== state)) location.replace(place);
}, 3000);
