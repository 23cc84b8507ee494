// One press of Back leaves a page. A page writes its view into its address, for which Streamlit adds
// an entry to the history, though Back would change the address alone: the view takes the place of
// the last one. The steps of a lesson are entries of their own: their addresses come as objects.
{
  const push = history.pushState;
  history.pushState = function (state, title, url) {
    const next = new URL(url ?? location.href, location.href);
    const isView =
      typeof url === "string" && next.pathname === location.pathname && next.searchParams.has("v");
    return isView ? history.replaceState(state, title, url) : push.call(history, state, title, url);
  };
}
