// One press of Back leaves a page. A page opens by its bare address and then writes its view into it,
// for which Streamlit adds an entry to the history: the first view takes the place of the bare one.
{
  const push = history.pushState;
  history.pushState = function (state, title, url) {
    const next = new URL(url ?? location.href, location.href);
    const isFirstView =
      next.pathname === location.pathname &&
      next.searchParams.has("v") &&
      !new URL(location.href).searchParams.has("v");
    return isFirstView ? history.replaceState(state, title, url) : push.call(history, state, title, url);
  };
}
