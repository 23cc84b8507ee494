// The lesson without a server: what the address says, and nothing else. In a frame, or with embed=true, a
// step fills the frame as a slide.
{
  const texts = textsInAddress(), view = new LessonView(document.querySelector(".lesson"));
  const isOfGene = texts.counts?.split("-").length === GENE_COUNTS.length, source = texts.source in SOURCES ? texts.source : isOfGene ? "gene" : "ward";
  view.send = () => {};
  view.update({ lesson: texts, turn: 1, source, leaf: null, embedded: texts.embed === "true" || window.top !== window, classroom: null });
}
