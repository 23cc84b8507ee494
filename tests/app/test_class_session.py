"""Class sessions: rooms that keep guesses and nobody's name, and the pages of phones."""

from __future__ import annotations

import asyncio
import re
from typing import Any
from urllib.parse import urlencode

import pytest
import streamlit as st
from starlette.applications import Starlette

from probtrees.ui.learn import class_routes
from probtrees.ui.learn.class_rooms import (
    BINS,
    IDLE_SECONDS,
    MOST_ROOMS,
    ClassError,
    Rooms,
)
from probtrees.ui.learn.steps import STEPS


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def rooms(clock: Clock) -> Rooms:
    return Rooms(clock)


def test_guesses_are_counted_once_for_every_phone_and_question(rooms: Rooms) -> None:
    room = rooms.open(0)
    assert rooms.guess(room.code, "phone 1", 0.0)
    assert rooms.guess(room.code.lower(), "phone 2", 1.0)
    assert not rooms.guess(room.code, "phone 1", 0.5)
    assert room.bins == [1] + [0] * (BINS - 2) + [1]
    rooms.ask(room.code, room.key, 3)
    assert sum(room.bins) == 0
    assert room.step == 3
    assert rooms.guess(room.code, "phone 1", 0.5)


def test_a_class_chooses_where_there_are_options(rooms: Rooms) -> None:
    step = next(at for at, one in enumerate(STEPS) if one.guess.options)
    options = STEPS[step].guess.options
    room = rooms.open(step)
    assert room.bins == [0] * len(options)
    form = class_routes._guess_form(list(options.values()))
    values = re.findall(r"value=([\d.]+)>", form)
    for phone, value in enumerate(values):
        rooms.guess(room.code, str(phone), float(value) / 100)
    assert room.bins == [1] * len(options)
    rooms.ask(room.code, room.key, 0)
    assert room.bins == [0] * BINS


def test_a_room_keeps_nothing_that_leads_to_a_phone(rooms: Rooms) -> None:
    room = rooms.open(0)
    rooms.guess(room.code, "phone 1", 0.37)
    assert "phone" not in repr(room)
    assert "0.37" not in repr(room)
    before = next(iter(room.guessed))
    rooms.ask(room.code, room.key, 1)
    rooms.guess(room.code, "phone 1", 0.37)
    assert before not in room.guessed  # not even over two questions


def test_rooms_end_by_themselves_and_only_their_screen_sees_them(
    rooms: Rooms, clock: Clock
) -> None:
    room = rooms.open(0)
    with pytest.raises(ClassError, match="Only the screen"):
        rooms.ask(room.code, "another key", 0)
    clock.now += IDLE_SECONDS - 1
    assert rooms.find(room.code) is room
    clock.now += IDLE_SECONDS + 1
    with pytest.raises(ClassError, match="no such room"):
        rooms.find(room.code)


def test_a_closed_room_takes_no_guess(rooms: Rooms, clock: Clock) -> None:
    room = rooms.open(0)
    with pytest.raises(ClassError, match="Only the screen"):
        rooms.close(room.code, "another key")
    assert rooms.state(room.code.lower()) == "1-guess"
    rooms.close(room.code, room.key)
    assert rooms.state(room.code) is None
    with pytest.raises(ClassError, match="session is over"):
        rooms.guess(room.code.lower(), "phone 1", 0.5)
    waits = rooms.open(0)
    clock.now += IDLE_SECONDS - 1
    assert rooms.state(waits.code) is not None  # which keeps no room
    clock.now += 2
    assert rooms.state(waits.code) is None


def test_too_many_rooms_are_refused(rooms: Rooms, clock: Clock) -> None:
    for _ in range(MOST_ROOMS):
        rooms.open(0)
    with pytest.raises(ClassError, match="Too many rooms"):
        rooms.open(0)
    clock.now += IDLE_SECONDS + 1
    assert rooms.open(0)


class Client:
    """A browser that speaks to the routes without a network."""

    def __init__(self) -> None:
        self.app = Starlette(routes=class_routes.class_routes())
        self.cookie = ""

    def ask(self, method: str, path: str, form: dict[str, str] | None = None) -> tuple[int, str]:
        """Return status and text of an answer."""
        path, _, query = path.partition("?")
        headers = [(b"host", b"lab.example:8501"), (b"cookie", self.cookie.encode())]
        scope: dict[str, Any] = {
            "type": "http",
            "http_version": "1.1",
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "scheme": "http",
            "server": ("lab.example", 8501),
            "headers": headers,
        }
        sent: list[dict[str, Any]] = []
        body = urlencode(form or {}).encode()

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            sent.append(message)

        asyncio.run(self.app(scope, receive, send))
        self.headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
        if "set-cookie" in self.headers:
            self.cookie = self.headers["set-cookie"].split(";")[0]
        text = b"".join(part.get("body", b"") for part in sent[1:]).decode()
        return sent[0]["status"], text


@pytest.fixture
def open_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that lets other machines in."""
    monkeypatch.setattr(class_routes, "ROOMS", Rooms())
    options = {"server.address": "0.0.0.0"}
    monkeypatch.setattr(st, "get_option", options.get)


@pytest.mark.usefixtures("open_server")
def test_a_phone_joins_guesses_and_is_thanked() -> None:
    teacher, phone = Client(), Client()
    status, text = teacher.ask("POST", "/class/open", {"step": "2"})
    assert status == 200
    room = class_routes.ROOMS.find(next(iter(class_routes.ROOMS._rooms)))
    assert f"http://lab.example:8501/class/{room.code}" in text
    status, text = phone.ask("GET", f"/class?code={room.code.lower()}")
    assert (status, phone.headers["location"]) == (303, f"class/{room.code}")
    status, text = phone.ask("GET", f"/class/{room.code}")
    assert status == 200
    assert STEPS[2].question in text
    status, _ = phone.ask("POST", f"/class/{room.code}", {"guess": "40"})
    assert status == 303
    assert "HttpOnly" in phone.headers["set-cookie"]
    assert "Your guess is in" in phone.ask("GET", f"/class/{room.code}")[1]
    form = {"key": room.key, "step": "2"}
    status, text = teacher.ask("POST", f"/class/{room.code}/tally", form)
    assert '"guesses":1' in text.replace(" ", "")
    assert teacher.ask("POST", f"/class/{room.code}/tally", {"key": "x"})[0] == 404


@pytest.mark.usefixtures("open_server")
def test_phones_are_told_the_answer_once_the_screen_shows_it() -> None:
    teacher, phone, late = Client(), Client(), Client()
    room = class_routes.ROOMS.open(1)
    place = f"/class/{room.code}"
    phone.ask("POST", place, {"guess": "40"})
    states = []

    def tell(step: str, answer: str) -> tuple[str, str]:
        form = {"key": room.key, "step": step, "answer": answer, "clue": "0 of 1 & more"}
        assert teacher.ask("POST", f"{place}/tally", form)[0] == 200
        phone.ask("GET", f"{place}/open")
        states.append(phone.headers["etag"])
        return phone.ask("GET", place)[1], late.ask("GET", place)[1]

    assert "Laplace says" not in "".join(tell("1", ""))
    for text in tell("1", "Laplace says <33.3 %>."):
        assert "Laplace says &lt;33.3 %&gt;." in text
        assert STEPS[1].takeaway in text
        assert "<form method=post" not in text
    status, text = late.ask("POST", place, {"guess": "33"})
    assert (status, sum(room.bins)) == (429, 1)
    assert "The answer is shown already." in text
    text = tell("3", "")[0]
    assert "<form method=post" in text
    assert "0 of 1 &amp; more" in text
    tell("1", "")
    assert len(set(states)) == len(states)  # phones notice each of these


@pytest.mark.usefixtures("open_server")
def test_phones_are_told_that_the_session_is_over() -> None:
    teacher, phone = Client(), Client()
    room = class_routes.ROOMS.open(0)
    place = f"/class/{room.code}"
    assert phone.ask("GET", f"{place}/open")[0] == 204
    assert teacher.ask("POST", f"{place}/close", {"key": "x"})[0] == 404
    assert phone.ask("GET", place)[0] == 200
    assert teacher.ask("POST", f"{place}/close", {"key": room.key})[0] == 200
    assert phone.ask("GET", f"{place}/open")[0] == 410
    status, text = phone.ask("GET", place)
    assert status == 404
    assert "the session is over." in text
    assert phone.ask("POST", place, {"guess": "40"})[0] == 429


@pytest.mark.usefixtures("open_server")
def test_nonsense_gets_a_sentence() -> None:
    client = Client()
    code = class_routes.ROOMS.open(0).code
    for form in ({"guess": "many"}, {"guess": "nan"}, {"guess": "140"}, {"guess": "-1"}, {}):
        status, text = client.ask("POST", f"/class/{code}", form)
        assert status in (400, 429)
        assert "Traceback" not in text
    assert sum(class_routes.ROOMS.find(code).bins) == 0
    assert client.ask("POST", f"/class/{code}", {"guess": "1" * 5000})[0] == 429
    status, text = client.ask("GET", "/class/<script>")
    assert status == 404
    assert "<script>" not in text
    assert client.ask("GET", "/class")[0] == 200


def test_a_server_of_this_machine_alone_opens_a_room_only_for_a_trial(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(class_routes, "ROOMS", Rooms())
    for address in (None, "127.0.0.1", "::1", "localhost"):
        monkeypatch.setattr(st, "get_option", lambda _, at=address: at)
        monkeypatch.setenv(class_routes.ADDRESS_GIVEN, "0")
        assert not class_routes.lets_others_in()
        assert Client().ask("POST", "/class/open")[0] == 403
        status, text = Client().ask("GET", "/class")
        assert status == 404
        assert "--address 0.0.0.0" in text
        monkeypatch.setenv(class_routes.ADDRESS_GIVEN, "1")  # asked for by --address
        assert Client().ask("POST", "/class/open")[0] == 200
        assert Client().ask("GET", "/class")[0] == 200
        assert not class_routes.phones_can_reach()


def test_phones_reach_an_address_that_is_not_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "get_option", lambda _: "192.168.1.7")
    assert class_routes.phones_can_reach()
    monkeypatch.setattr(class_routes, "_listening_host", lambda: "localhost")  # without a network
    assert not class_routes.phones_can_reach()


@pytest.mark.usefixtures("open_server")
def test_a_qr_code_bears_the_address_of_this_server(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    real = class_routes.segno.make

    def make(text: str, **more: Any) -> Any:
        made.append(text)
        return real(text, **more)

    monkeypatch.setattr(class_routes.segno, "make", make)
    client = Client()
    status, text = client.ask("GET", "/class/qr.svg?to=learn%3Fstep%3D3%26told%3D1")
    assert status == 200
    assert text.startswith("<svg ")
    assert client.headers["content-type"] == "image/svg+xml"
    client.ask("GET", "/behind/a/proxy/class/qr.svg?to=learn")
    assert made == [
        "http://lab.example:8501/learn?step=3&told=1",
        "http://lab.example:8501/behind/a/proxy/learn",
    ]
