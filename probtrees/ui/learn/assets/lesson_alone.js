// The lesson without a server: what the address says, and nothing else. In a frame, or with embed=true, a
// step fills the frame as a slide.
{
  const texts = textsInAddress(), view = new LessonView(document.querySelector(".lesson"));
  const isPlain = !Object.keys(texts).some((name) => name in FIELDS), source = texts.source in SOURCES ? texts.source : isPlain ? "ward" : "gene";
  view.send = () => {};
  view.update({ lesson: texts, turn: 1, source, leaf: null, embedded: texts.embed === "true" || window.top !== window, classroom: null });
}
