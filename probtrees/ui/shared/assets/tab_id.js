// Names this tab to the server, so that a reload brings back its table and not that of another tab.
// The name lives as long as the tab. A copied tab begins with the name of the other one: it takes
// a new one, and says which it comes from.
{
  const KEY = "probtrees.tab";
  const fresh = () =>
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
      byte.toString(16).padStart(2, "0")).join("");
  const stored = (name) => {
    try {
      if (name) sessionStorage.setItem(KEY, name);
      return sessionStorage.getItem(KEY);
    } catch {
      return null; // the browser keeps nothing: every load is a new tab
    }
  };
  let tab = stored() ?? stored(fresh());
  let copied = "";
  const hold = () =>
    navigator.locks?.request(`${KEY} ${tab}`, { ifAvailable: true }, (lock) => {
      if (lock) return new Promise(() => {});
      copied = tab;
      tab = stored(fresh());
      hold();
      return undefined;
    });
  if (tab) hold();

  const Plain = window.WebSocket;
  window.WebSocket = class extends Plain {
    constructor(url, protocols) {
      const place = new URL(url, location.href);
      if (tab && place.pathname.endsWith("/_stcore/stream")) {
        place.searchParams.set("tab", tab);
        if (copied) place.searchParams.set("copied", copied);
      }
      super(place.href, protocols);
    }
  };
}
