"""Strangers at the rooms of a class: whatever they send, no traceback and nothing used up."""

import random
from pathlib import Path
from unittest.mock import patch
from urllib.parse import urlencode

import streamlit as st

from probtrees.ui.learn import class_routes
from probtrees.ui.learn.class_rooms import MOST_ROOMS_OF_ADDRESS, Rooms
from tests.app.test_class_session import Client
from tests.trust.bad_files import BadFile
from tests.trust.journey import Step, demand

N_REQUESTS = 60
_ODD = ("", "0", "-1", "nan", "inf", "1e999", "9" * 4500, "x" * 6000, "\xff", "\u2028", "🌳" * 500)
_ADDRESSES = ("10.0.0.1", "10.0.0.2", "2001:db8::1", "2001:db8::2", "fe80::1%eth0", "1.2.3.4:5", "")


def room_journey(file: BadFile, chance: random.Random, folder: Path, step: Step) -> str:
    """Send odd requests about a room, as phones, screens and strangers."""
    options = {"server.address": "0.0.0.0"}
    with patch.object(class_routes, "ROOMS", Rooms()), patch.object(st, "get_option", options.get):
        rooms = class_routes.ROOMS
        room = rooms.open(0, "teacher", "10.0.0.9")
        for _ in range(N_REQUESTS):
            _send(chance, room.code, step)
        for address in {each.address for each in rooms._rooms.values()}:
            here = sum(each.address == address for each in rooms._rooms.values())
            demand(here <= MOST_ROOMS_OF_ADDRESS, "one address has taken more than its rooms")
        demand(rooms.find(room.code) is room, "the teacher's room is gone")
    return "result"


def _send(chance: random.Random, code: str, step: Step) -> None:
    """Send one request; what the server did not give counts for nothing."""
    rooms, client = class_routes.ROOMS, Client(chance.choice(_ADDRESSES))
    cookie, page = (
        chance.choice((*_ODD[:9], "f" * 64, names.give(), names.give()[:-1]))
        for names in (class_routes.PHONES, class_routes.PAGES)
    )
    client.cookie = f"probtrees_phone={cookie}"
    path = chance.choice(("open", "qr.svg", code, f"{code}/tally", f"{code}/close", f"{code}/open"))
    form = {name: chance.choice(_ODD) for name in ("guess", "step", "key", "to", "clue", "answer")}
    form |= {"page": page} | ({"guess": "40"} if chance.random() < 0.5 else {})
    before, counted = set(rooms._rooms), sum(rooms.find(code).bins)
    method = chance.choice(("GET", "POST"))
    step(f"{method} {path} {form} {cookie}"[:300])
    asked = urlencode({"to": form["to"], "code": form["key"]})
    status, text = client.ask(method, f"/class/{path}?{asked}", form)
    demand(status < 500 and "Traceback" not in text, f"answered by {status}")
    if not class_routes.PAGES.include(page):
        demand(set(rooms._rooms) == before, "a room was opened by no page of the lesson")
    if not class_routes.PHONES.include(cookie):
        demand(sum(rooms.find(code).bins) == counted, "a guess without a given cookie counted")
