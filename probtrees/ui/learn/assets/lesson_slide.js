// A slide fills the screen: its type grows or shrinks until everything is seen at once.

function fitSlide(view) {
  if (!view.data?.embedded) return;
  const key = `${window.innerWidth} ${window.innerHeight} ${view.lesson.step} ${view.lesson.told} ${view.isWaiting}`;
  const { words, treePicture, axis } = view, picture = treePicture.box.parentNode;
  const fits = (size) => {
    view.root.style.fontSize = `${size}px`;
    treePicture.layOut();
    axis.arrange();
    const room = words.parentNode.clientHeight;
    const isWide = (one) => one.scrollWidth > one.clientWidth + 1;
    return words.scrollHeight <= room && picture.scrollHeight <= room && ![words, ...view.root.querySelectorAll(".hands, .drawn, .filled")].some(isWide);
  };
// Measuring is dear: not while something is dragged.
  if (key === view.fitKey && (view.isDragged || fits(view.fitSize))) return;
  let low = 8, top = window.innerHeight / 28;
  for (let round = 0; round < 8; round++) { const middle = (low + top) / 2; if (fits(middle)) low = middle; else top = middle; }
  Object.assign(view, { fitKey: key, fitSize: low });
  fits(low);
}
