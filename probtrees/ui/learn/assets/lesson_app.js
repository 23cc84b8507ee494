// The lesson in the app. Streamlit calls the function below again with every run; the view of an
// element is kept.
const views = new WeakMap();

export default function (component) {
  const { data, parentElement, setStateValue } = component, root = parentElement.querySelector(".lesson");
  if (!views.has(root)) views.set(root, new LessonView(root));
  const view = views.get(root);
  view.send = (texts) => setStateValue("lesson", texts);
  view.update(data);
  return () => { view.end(); root.replaceChildren(); views.delete(root); };
}
