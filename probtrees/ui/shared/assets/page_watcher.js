// Marks the page while a file is dragged over it, tells Python of another theme, gives buttons
// their words on hover, and shows another page from its top.

// Elements inside the page are entered and left all the time, so these are counted. A page that is
// drawn again forgets the mark; the file that is still over it brings it back.
function watchFiles() {
  const marked = document.body.classList;
  let entered = 0;
  const holdsFiles = (event) => Array.from(event.dataTransfer?.types ?? []).includes("Files");
  const enter = (event) => {
    if (!holdsFiles(event)) return;
    entered += 1;
    marked.add("file-over-page");
  };
  const stay = (event) => {
    if (entered === 0) enter(event);
  };
  const leave = (event) => {
    if (!holdsFiles(event)) return;
    entered = Math.max(0, entered - 1);
    if (entered === 0) marked.remove("file-over-page");
  };
  const end = () => {
    entered = 0;
    marked.remove("file-over-page");
  };
  const watched = { dragenter: enter, dragover: stay, dragleave: leave, drop: end, dragend: end };
  for (const [name, react] of Object.entries(watched)) window.addEventListener(name, react, true);
  return () => {
    for (const [name, react] of Object.entries(watched)) window.removeEventListener(name, react, true);
    end();
  };
}

// Much of the page is drawn by Python in colours of its own: it has to be drawn again.
function watchTheme(tell) {
  const app = document.querySelector(".stApp");
  if (!app) return () => {};
  const scheme = () => getComputedStyle(app).colorScheme;
  let known = scheme();
  const look = () => {
    if (scheme() === known) return;
    known = scheme();
    tell(known);
  };
  const observer = new MutationObserver(look);
  observer.observe(app, { attributes: true, attributeFilter: ["class", "style"] });
  return () => observer.disconnect();
}

// The words are set when the pointer arrives: buttons are made again and again.
function sayOnHover(words) {
  const say = (event) => {
    const button = event.target.closest?.(".st-key-view_bar button");
    const sentence = button && words[button.textContent.trim()];
    if (sentence && button.title !== sentence) button.title = sentence;
  };
  document.addEventListener("pointerover", say, true);
  document.addEventListener("focusin", say, true);
  return () => {
    document.removeEventListener("pointerover", say, true);
    document.removeEventListener("focusin", say, true);
  };
}

// Streamlit leaves the reader as far down as on the page before, unless it happened to be empty
// between the two.
function startAtTop() {
  const { dataset } = document.documentElement, page = location.pathname;
  if (dataset.page !== undefined && dataset.page !== page) document.querySelector(".stMain")?.scrollTo(0, 0);
  dataset.page = page;
}

export default function pageWatcher({ data, setTriggerValue }) {
  startAtTop();
  const ends = [watchFiles(), watchTheme((scheme) => setTriggerValue("theme", scheme)), sayOnHover(data ?? {})];
  return () => ends.forEach((end) => end());
}
