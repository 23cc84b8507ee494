"""A visitor of the app without a browser: what a page sends and receives, over the same wire."""

import contextlib
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urljoin

import requests
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.sync.client import connect

_XSRF = "_streamlit_xsrf"
_DONE = {
    ForwardMsg.FINISHED_SUCCESSFULLY,
    ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY,
    ForwardMsg.FINISHED_WITH_COMPILE_ERROR,
}


class PageError(AssertionError):
    """A page showed an exception, or the server none at all."""


class ProtocolSession:
    """One open tab.

    Attributes
    ----------
    received : every byte the server sent, to look for what it must not send
    clicks : seconds from sending an event to the end of the script it started
    """

    def __init__(self, port: int, patience: float = 60) -> None:
        self.host = f"127.0.0.1:{port}"
        self.patience = patience
        self.page, self.query = "", ""
        self.received = bytearray()
        self.clicks: list[float] = []
        self.states: dict[str, WidgetState] = {}
        self.elements: dict[tuple[int, ...], Any] = {}
        self.waiting: dict[str, float] = {}
        self.page_hash = ""
        self.http = requests.Session()
        for place in ("host-config", "health"):
            asked = f"http://{self.host}/_stcore/{place}"
            self.http.get(asked, timeout=patience).raise_for_status()
        self.session_id = ""
        self._open = contextlib.ExitStack()
        self._connect("streamlit")

    def _connect(self, *protocols: str) -> None:
        connection = connect(
            f"ws://{self.host}/_stcore/stream",
            subprotocols=protocols,  # type: ignore[arg-type]
            max_size=None,
            open_timeout=self.patience,
        )
        self.socket = self._open.enter_context(connection)

    def reconnect(self) -> float:
        """Lose the connection, and come back as a browser does."""
        self._open.close()
        self._connect("streamlit", self.http.cookies.get(_XSRF, "none"), self.session_id)
        self.elements.clear()
        return self.rerun()

    def close(self) -> None:
        """Close the tab."""
        self._open.close()
        self.http.close()

    def open(self, page: str, query: str = "") -> float:
        """Go to a page of the app."""
        self.page, self.query, self.page_hash = page, query, ""
        self.elements.clear()
        return self.rerun()

    def rerun(self, trigger: WidgetState | None = None, fragment: str = "") -> float:
        """Have the script run, and wait until it is done."""
        message = BackMsg()
        client = message.rerun_script
        client.query_string, client.fragment_id = self.query, fragment
        client.page_script_hash = self.page_hash
        client.page_name = "" if self.page_hash else self.page
        client.is_auto_rerun = bool(fragment)
        client.context_info.timezone = "UTC"
        client.widget_states.widgets.extend(self.states.values())
        if trigger is not None:
            client.widget_states.widgets.append(trigger)
        if not fragment:
            self.waiting.clear()
        start = time.monotonic()
        self.socket.send(message.SerializeToString())
        self._read_until_done(start + self.patience)
        seconds = time.monotonic() - start
        if not fragment:
            self.clicks.append(seconds)
        return seconds

    def settle(self, most_seconds: float = 60) -> bool:
        """Let progress fragments refresh until nothing is under way; tell whether that came."""
        until = time.monotonic() + most_seconds
        while self.waiting and time.monotonic() < until:
            fragment, interval = next(iter(self.waiting.items()))
            time.sleep(interval)
            self.rerun(fragment=fragment)
        return not self.waiting

    def _receive(self, seconds: float) -> Any:
        raw = self.socket.recv(timeout=seconds)
        data = raw if isinstance(raw, bytes) else raw.encode()
        self.received += data
        return ForwardMsg.FromString(data)

    def _read_until_done(self, until: float) -> None:
        while True:
            message = self._receive(max(until - time.monotonic(), 0.01))
            kind = message.WhichOneof("type")
            if kind == "new_session":
                self.session_id = message.new_session.initialize.session_id or self.session_id
            elif kind == "navigation":
                self.page_hash = message.navigation.page_script_hash
            elif kind == "auto_rerun":
                self.waiting[message.auto_rerun.fragment_id] = message.auto_rerun.interval
            elif kind == "stop_auto_rerun":
                for fragment in message.stop_auto_rerun.fragment_ids:
                    self.waiting.pop(fragment, None)
            elif kind == "delta":
                self._keep(message)
            elif kind == "script_finished":
                if message.script_finished in _DONE:
                    return
                self.waiting.clear()  # the whole page runs again

    def _keep(self, message: Any) -> None:
        if message.delta.WhichOneof("type") != "new_element":
            return
        element = message.delta.new_element
        if element.WhichOneof("type") == "exception":
            raise PageError(f"{element.exception.type}: {element.exception.message}")
        self.elements[tuple(message.metadata.delta_path)] = element

    def find(self, kind: str, label: str) -> Any:
        """Return the latest widget of a kind whose label begins so, or None."""
        for element in reversed(list(self.elements.values())):
            if element.WhichOneof("type") == kind:
                widget = getattr(element, kind)
                if widget.label.startswith(label):
                    return widget
        return None

    def texts(self, kind: str) -> list[str]:
        """List the texts of all elements of a kind: markdown, alert, ..."""
        return [
            getattr(element, kind).body
            for element in self.elements.values()
            if element.WhichOneof("type") == kind
        ]

    def click(self, label: str) -> float | None:
        """Press a button; None if there is none."""
        button = self.find("button", label)
        if button is None or button.disabled:
            return None
        return self.rerun(WidgetState(id=button.id, trigger_value=True))

    def _change(self, kind: str, label: str, state_of: Callable[[Any], Any]) -> float | None:
        """Give the latest widget of a kind another state; None if there is none."""
        widget = self.find(kind, label)
        if widget is None:
            return None
        self.states[widget.id] = WidgetState(id=widget.id, **state_of(widget))
        return self.rerun()

    def choose(self, label: str, number: int) -> float | None:
        """Choose an entry of a selectbox."""
        return self._change(
            "selectbox", label, lambda box: {"string_value": box.options[number % len(box.options)]}
        )

    def press(self, label: str, number: int) -> float | None:
        """Press one of a group of buttons."""

        def pressed(group: Any) -> Any:
            chosen = group.options[number % len(group.options)].content
            return {"string_array_value": {"data": [chosen]}}

        return self._change("button_group", label, pressed)

    def enter(self, label: str, number: float) -> float | None:
        """Type a number."""
        return self._change("number_input", label, lambda _: {"double_value": number})

    def upload(self, label: str, name: str, content: bytes) -> float | None:
        """Hand a file over."""

        def uploaded(_: Any) -> Any:
            place = self._place_for(name)
            self.http.put(
                urljoin(f"http://{self.host}", place.upload_url),
                files={name: (name, content, "text/csv")},
                headers={"X-Xsrftoken": self.http.cookies.get(_XSRF, "")},
                timeout=self.patience,
            ).raise_for_status()
            given = {"file_id": place.file_id, "name": name, "size": len(content)}
            return {
                "file_uploader_state_value": {"uploaded_file_info": [given | {"file_urls": place}]}
            }

        return self._change("file_uploader", label, uploaded)

    def use_table(self, name: str, content: bytes) -> bool:
        """Hand a table over and grow its tree; tell whether it could be used."""
        if self.page != "data":
            self.open("data")
        self.upload("A table of your own", name, content)
        self.settle(self.patience)  # it is looked at beside the page
        is_used = self.click("Grow the tree") is not None
        self.open("")
        self.settle(self.patience)
        return is_used

    def _place_for(self, name: str) -> Any:
        message = BackMsg()
        message.file_urls_request.request_id = "1"
        message.file_urls_request.file_names.append(name)
        self.socket.send(message.SerializeToString())
        while True:
            answer = self._receive(self.patience)
            if answer.WhichOneof("type") == "file_urls_response":
                return answer.file_urls_response.file_urls[0]
