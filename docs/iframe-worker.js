// Workers on pages that are opened from a folder: browsers refuse them there, and the search box of
// the site needs one. A hidden frame runs the script instead; messages go to and fro as events.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const inside = frame.contentWindow;
      this.ready = new Promise((loaded) => {
        const script = frame.contentDocument.createElement("script");
        script.src = url;
        script.onload = () => loaded(inside);
        inside.postMessage = (data) => this.answer(data);
        inside.importScripts = () => {};
        frame.contentDocument.body.append(script);
      });
    }
    postMessage(data) {
      this.ready.then((inside) => inside.dispatchEvent(new MessageEvent("message", { data })));
    }
    answer(data) {
      const event = new MessageEvent("message", { data });
      this.dispatchEvent(event);
      this.onmessage?.(event);
    }
    terminate() {}
  };
}
