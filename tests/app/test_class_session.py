"""Class sessions: rooms that keep guesses and nobody's name, and the pages of phones."""

import re
from types import SimpleNamespace
from unittest.mock import Mock
from urllib.parse import urlencode

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.testclient import TestClient

from probtrees.ui.learn import class_routes
from probtrees.ui.learn.class_rooms import (
    BINS,
    IDLE_SECONDS,
    MOST_PHONES_OF_ADDRESS,
    MOST_ROOMS,
    MOST_ROOMS_OF_ADDRESS,
    ClassError,
    Room,
    Rooms,
)
from probtrees.ui.learn.lesson_file import STEPS


@pytest.fixture
def clock() -> SimpleNamespace:
    """What a test moves to let time pass."""
    return SimpleNamespace(now=1000.0)


def opened(rooms: Rooms, step: int = 0) -> Room:
    """A room that a page somewhere opens."""
    number = len(rooms._rooms)
    return rooms.open(step, f"page {number}", f"10.0.0.{number}")


@pytest.fixture
def rooms(clock: SimpleNamespace) -> Rooms:
    return Rooms(lambda: clock.now)


def test_guesses_are_counted_once_for_every_phone_and_question(rooms: Rooms) -> None:
    room = opened(rooms)
    assert rooms.guess(room.code, "phone 1", "10.0.0.9", 0.0)
    assert rooms.guess(room.code.lower(), "phone 2", "10.0.0.9", 1.0)
    assert not rooms.guess(room.code, "phone 1", "10.0.0.9", 0.5)
    assert room.bins == [1] + [0] * (BINS - 2) + [1]
    rooms.ask(room.code, room.key, 3)
    assert sum(room.bins) == 0
    assert room.step == 3
    assert rooms.guess(room.code, "phone 1", "10.0.0.9", 0.5)


def test_a_class_chooses_where_there_are_options(rooms: Rooms) -> None:
    step = next(at for at, one in enumerate(STEPS) if "options" in one["guess"])
    options = STEPS[step]["guess"]["options"]
    room = opened(rooms, step)
    assert room.bins == [0] * len(options)
    form = class_routes._guess_form(list(options.values()))
    values = re.findall(r"value=([\d.]+)>", form)
    for phone, value in enumerate(values):
        rooms.guess(room.code, str(phone), "10.0.0.9", float(value) / 100)
    assert room.bins == [1] * len(options)
    rooms.ask(room.code, room.key, 0)
    assert room.bins == [0] * BINS


def test_a_room_keeps_nothing_that_leads_to_a_phone(rooms: Rooms) -> None:
    room = opened(rooms)
    rooms.guess(room.code, "phone 1", "10.0.0.9", 0.37)
    assert "phone" not in repr(room)
    assert "0.37" not in repr(room)
    before = next(iter(room.guessed))
    rooms.ask(room.code, room.key, 1)
    rooms.guess(room.code, "phone 1", "10.0.0.9", 0.37)
    assert before not in room.guessed  # not even over two questions


def test_rooms_end_by_themselves_and_only_their_screen_sees_them(
    rooms: Rooms, clock: SimpleNamespace
) -> None:
    room = opened(rooms)
    with pytest.raises(ClassError, match="Only the screen"):
        rooms.ask(room.code, "another key", 0)
    clock.now += IDLE_SECONDS - 1
    assert rooms.find(room.code) is room
    clock.now += IDLE_SECONDS + 1
    with pytest.raises(ClassError, match="no such room"):
        rooms.find(room.code)


def test_a_closed_room_takes_no_guess(rooms: Rooms, clock: SimpleNamespace) -> None:
    room = opened(rooms)
    with pytest.raises(ClassError, match="Only the screen"):
        rooms.close(room.code, "another key")
    assert rooms.state(room.code.lower()) == "1-guess"
    rooms.close(room.code, room.key)
    assert rooms.state(room.code) is None
    with pytest.raises(ClassError, match="session is over"):
        rooms.guess(room.code.lower(), "phone 1", "10.0.0.9", 0.5)
    waits = opened(rooms)
    clock.now += IDLE_SECONDS - 1
    assert rooms.state(waits.code) is not None  # which keeps no room
    clock.now += 2
    assert rooms.state(waits.code) is None


def test_too_many_rooms_are_refused(rooms: Rooms, clock: SimpleNamespace) -> None:
    for _ in range(MOST_ROOMS):
        opened(rooms)
    with pytest.raises(ClassError, match="Too many rooms"):
        opened(rooms)
    clock.now += IDLE_SECONDS + 1
    assert opened(rooms)


class Client:
    """A browser that speaks to the routes without a network."""

    def __init__(self, address: str = "10.0.0.9") -> None:
        app, host = Starlette(routes=class_routes.class_routes()), "http://lab.example:8501"
        self.web = TestClient(app, host, client=(address, 50000), follow_redirects=False)
        self.cookie = ""

    def ask(self, method: str, path: str, form: dict[str, str] | None = None) -> tuple[int, str]:
        """Return status and text of an answer."""
        found = self.web.request(method, path, data=form, headers={"cookie": self.cookie.encode()})
        self.web.cookies.clear()
        self.headers = found.headers
        if "set-cookie" in found.headers:
            self.cookie = found.headers["set-cookie"].split(";")[0]
        return found.status_code, found.text

    def guess(self, place: str, value: str = "40") -> int:
        """Load a phone's page and send a guess from it; return the status."""
        self.ask("GET", place)
        return self.ask("POST", place, {"guess": value})[0]

    def open(self, step: str = "0") -> tuple[int, str]:
        """Open a room as the script of the lesson does."""
        page = class_routes.PAGES.give()
        return self.ask("POST", "/class/open", {"step": step, "page": page})


@pytest.fixture(autouse=True)
def open_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that lets other machines in."""
    monkeypatch.setattr(class_routes, "ROOMS", Rooms())
    options = {"server.address": "0.0.0.0"}
    monkeypatch.setattr(st, "get_option", options.get)


def test_a_phone_joins_guesses_and_is_thanked() -> None:
    teacher, phone = Client(), Client()
    status, text = teacher.open("2")
    assert status == 200
    room = class_routes.ROOMS.find(next(iter(class_routes.ROOMS._rooms)))
    assert f"http://lab.example:8501/class/{room.code}" in text
    status, text = phone.ask("GET", f"/class?code={room.code.lower()}")
    assert (status, phone.headers["location"]) == (303, f"class/{room.code}")
    status, text = phone.ask("GET", f"/class/{room.code}")
    assert status == 200
    assert "HttpOnly" in phone.headers["set-cookie"]
    assert STEPS[2]["question"] in text
    status, _ = phone.ask("POST", f"/class/{room.code}", {"guess": "40"})
    assert status == 303
    assert "Your guess is in" in phone.ask("GET", f"/class/{room.code}")[1]
    form = {"key": room.key, "step": "2"}
    status, text = teacher.ask("POST", f"/class/{room.code}/tally", form)
    assert '"guesses":1' in text.replace(" ", "")
    assert teacher.ask("POST", f"/class/{room.code}/tally", {"key": "x"})[0] == 404


def test_phones_are_told_the_answer_once_the_screen_shows_it() -> None:
    teacher, phone, late = Client(), Client(), Client()
    room = opened(class_routes.ROOMS, 1)
    place = f"/class/{room.code}"
    assert phone.guess(place) == 303
    states = []

    def tell(step: str, answer: str) -> tuple[str, str]:
        form = {"key": room.key, "step": step, "answer": answer, "clue": "0 of 1 & more"}
        form["shown"] = '{"question": "</script>"}'
        assert teacher.ask("POST", f"{place}/tally", form)[0] == 200
        phone.ask("GET", f"{place}/open")
        states.append(phone.headers["etag"])
        return phone.ask("GET", place)[1], late.ask("GET", place)[1]

    before = "".join(tell("1", ""))
    assert "Laplace says" not in before
    assert before.count('data-bins="null"') == 2  # nobody copies the class
    for text in tell("1", "Laplace says <33.3 %>."):
        assert "Laplace says &lt;33.3 %&gt;." in text
        assert text.count("</script>") == 1  # what the screen shows is text, too
        assert f'data-bins="[{", ".join(map(str, room.bins))}]"' in text
        assert STEPS[1]["takeaway"] in text
        assert "<form method=post" not in text
    status, text = late.ask("POST", place, {"guess": "33"})
    assert (status, sum(room.bins)) == (429, 1)
    assert "The answer is shown already." in text
    text = tell("3", "")[0]
    assert "<form method=post" in text
    assert "0 of 1 &amp; more" in text
    tell("1", "")
    assert len(set(states)) == len(states)  # phones notice each of these


def test_phones_are_told_that_the_session_is_over() -> None:
    teacher, phone = Client(), Client()
    room = opened(class_routes.ROOMS)
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


def test_nonsense_gets_a_sentence() -> None:
    client = Client()
    code = opened(class_routes.ROOMS).code
    assert client.ask("GET", f"/class/{code}")[0] == 200
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
    client.cookie = "probtrees_phone=\xff"
    assert client.ask("POST", f"/class/{code}", {"guess": "40"})[0] == 429
    assert client.guess(f"/class/{code}", "9" * 4500) == 429
    form = {"step": "9" * 4500, "page": class_routes.PAGES.give()}
    assert client.ask("POST", "/class/open", form)[0] == 200
    assert client.ask("GET", "/class/qr.svg?" + urlencode({"to": "\U0001f333" * 600}))[0] == 200


def test_only_a_page_of_the_lesson_opens_a_room() -> None:
    client, phone = Client(), Client()
    phone.ask("GET", f"/class/{opened(class_routes.ROOMS).code}")
    given_to_a_phone = phone.cookie.partition("=")[2]
    for page in ("", "f" * 64, "\xff", given_to_a_phone, class_routes.PAGES.give()[:-1]):
        status, text = client.ask("POST", "/class/open", {"step": "0", "page": page})
        assert (status, "Load it again" in text) == (403, True), page
    assert len(class_routes.ROOMS._rooms) == 1


def test_nobody_uses_up_the_rooms_of_others() -> None:
    rooms, page = class_routes.ROOMS, class_routes.PAGES.give()
    for _ in range(2 * MOST_ROOMS):
        assert Client().ask("POST", "/class/open", {"page": page})[0] == 200
    assert len(rooms._rooms) == 1  # the last one of that page
    for number in range(2 * MOST_ROOMS):
        Client(f"2001:db8::{number:x}").open()
    assert len(rooms._rooms) == 1 + MOST_ROOMS_OF_ADDRESS  # a network of one machine
    assert Client("10.0.0.1").open()[0] == 200
    assert Client("::ffff:10.0.0.2").open()[0] == 200


def test_one_address_does_not_fill_a_room_and_invented_cookies_count_for_nothing() -> None:
    room = opened(class_routes.ROOMS)
    place = f"/class/{room.code}"
    for number in range(20):
        stranger = Client()
        stranger.cookie = f"probtrees_phone=invented{number}" if number else ""
        status, text = stranger.ask("POST", place, {"guess": "40"})
        assert (status, "Allow cookies" in text) == (429, True)
    for number in range(MOST_PHONES_OF_ADDRESS):  # the phones of a school share one address
        class_routes.ROOMS.guess(room.code, f"phone {number}", "10.0.0.9", 0.5)
    assert Client().guess(place) == 429
    assert Client("10.0.0.10").guess(place) == 303
    assert sum(room.bins) == MOST_PHONES_OF_ADDRESS + 1


def test_a_server_of_this_machine_alone_opens_a_room_only_for_a_trial(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(class_routes, "ROOMS", Rooms())
    for address in (None, "127.0.0.1", "::1", "localhost"):
        monkeypatch.setattr(st, "get_option", lambda _, at=address: at)
        monkeypatch.setenv(class_routes.ADDRESS_GIVEN, "0")
        assert not class_routes.lets_others_in()
        assert Client().open()[0] == 403
        status, text = Client().ask("GET", "/class")
        assert status == 404
        assert "--address 0.0.0.0" in text
        monkeypatch.setenv(class_routes.ADDRESS_GIVEN, "1")  # asked for by --address
        assert Client().open()[0] == 200
        assert Client().ask("GET", "/class")[0] == 200
        assert not class_routes.phones_can_reach()


def test_phones_reach_an_address_that_is_not_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "get_option", lambda _: "192.168.1.7")
    assert class_routes.phones_can_reach()
    monkeypatch.setattr(class_routes, "_listening_host", lambda: "localhost")  # without a network
    assert not class_routes.phones_can_reach()


def test_a_qr_code_bears_the_address_of_this_server(monkeypatch: pytest.MonkeyPatch) -> None:
    make = Mock(wraps=class_routes.segno.make)
    monkeypatch.setattr(class_routes.segno, "make", make)
    client = Client()
    status, text = client.ask("GET", "/class/qr.svg?to=learn%3Fstep%3D3%26told%3D1")
    assert status == 200
    assert text.startswith("<svg ")
    assert client.headers["content-type"] == "image/svg+xml"
    client.ask("GET", "/behind/a/proxy/class/qr.svg?to=learn")
    assert [call.args[0] for call in make.call_args_list] == [
        "http://lab.example:8501/learn?step=3&told=1",
        "http://lab.example:8501/behind/a/proxy/learn",
    ]
