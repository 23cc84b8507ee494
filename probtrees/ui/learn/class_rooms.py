"""Rooms of class sessions: a class guesses, and the projector shows how, never who.

Held in memory only. Of a guess the room keeps nothing but one more in a bin of its histogram; of a
phone a fingerprint that says whether it has guessed, without what. Rooms end by themselves. Nobody
can use them up for others: a page of the lesson has one room, an address a part of all rooms and of
the guesses in a room. The phones of a school may share one address, so that part is generous.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from probtrees.errors import ProbTreesError
from probtrees.ui.learn.lesson_file import STEPS

BINS = 21
"""Places on the scale of guesses: every 5 points, both ends among them."""

MOST_ROOMS, MOST_ROOMS_OF_ADDRESS = 40, 10
MOST_PHONES, MOST_PHONES_OF_ADDRESS = 1000, 400
MOST_LETTERS, MOST_SHOWN = 500, 4000
"""Letters of a clue or an answer, and of the picture that goes with them."""

IDLE_SECONDS = 2 * 3600
"""A room that nobody asks for during that time is gone."""

_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Without those that are mistaken for one another on a projector."""


class ClassError(ProbTreesError):
    """A request that a class session cannot follow; the words are meant for people."""


class GivenNames:
    """Random names that only this server can have given, known again without being kept."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)

    def give(self) -> str:
        """Make a new name."""
        name = secrets.token_hex(16)
        return name + self._seal(name)

    def include(self, name: str) -> bool:
        """Whether this server gave a name."""
        return hmac.compare_digest(name[32:].encode(), self._seal(name[:32]).encode())

    def _seal(self, name: str) -> str:
        return hmac.digest(self._key, name.encode(), "sha256").hex()[:32]


@dataclass
class Room:
    """One class session.

    Attributes
    ----------
    code, key : what phones join by, and what the projector proves itself by
    page, address : who opened it: a page of the lesson, and where that was
    step : position of the step that is asked about
    bins : how many guesses fell near each place of the scale, or on each of the options
    clue : what the screen tells those who guess
    answer : what the screen says now that the answer is shown; empty while the class guesses
    shown : the tree and the marks on the number line, as JSON that phones draw
    asked : how many questions there were, so that phones notice the next one
    """

    code: str
    key: str
    page: str
    address: str
    step: int
    seen_at: float
    asked: int = 0
    clue: str = field(init=False)
    answer: str = field(init=False)
    shown: str = field(init=False)
    bins: list[int] = field(init=False)
    guessed: set[bytes] = field(init=False)
    guesses_of: Counter[bytes] = field(init=False)
    salt: bytes = field(init=False)

    def __post_init__(self) -> None:
        self.begin(self.step)

    def begin(self, step: int) -> None:
        """Ask about a step; nobody has guessed yet, and old fingerprints lead nowhere."""
        self.step, self.bins = step, [0] * (len(STEPS[step]["guess"].get("options", ())) or BINS)
        self.guessed, self.guesses_of, self.salt = set(), Counter(), secrets.token_bytes(16)
        self.asked, self.clue, self.answer, self.shown = self.asked + 1, "", "", ""

    @property
    def state(self) -> str:
        """What phones show: it changes with the question, and when the answer is shown."""
        return f"{self.asked}-{'answer' if self.answer else 'guess'}"

    def fingerprint(self, phone: str) -> bytes:
        """Turn a phone's name, or its address, into something that leads back to nobody."""
        return hashlib.blake2b(phone.encode(), key=self.salt, digest_size=12).digest()


class Rooms:
    """All class sessions of this server, whose requests come one after the other."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._rooms: dict[str, Room] = {}

    def open(self, step: int, page: str, address: str) -> Room:
        """Open a room for a step; the one that the page opened before ends."""
        self._seen("")
        self._rooms = {at: room for at, room in self._rooms.items() if room.page != page}
        here = sum(room.address == address for room in self._rooms.values())
        if len(self._rooms) >= MOST_ROOMS or here >= MOST_ROOMS_OF_ADDRESS:
            raise ClassError("Too many rooms are open. Try again in a few minutes.")
        code = ""
        while not code or code in self._rooms:
            code = "".join(secrets.choice(_LETTERS) for _ in range(5))
        room = Room(code, secrets.token_urlsafe(16), page, address, step, self._clock())
        self._rooms[code] = room
        return room

    def find(self, code: str, key: str | None = None) -> Room:
        """Find a room by its code, in any spelling; a screen proves by a key that it is its own."""
        room = self._seen(code)
        if room is None:
            raise ClassError("There is no such room: ask for the code, or the session is over.")
        if key is not None and not secrets.compare_digest(key.encode(), room.key.encode()):
            raise ClassError("Only the screen that opened the room can show it.")
        room.seen_at = self._clock()
        return room

    def state(self, code: str) -> str | None:
        """Return a room's state, or None; a phone that waits does not keep a room from ending."""
        room = self._seen(code)
        return None if room is None else room.state

    def close(self, code: str, key: str) -> None:
        """End a session."""
        room = self.find(code, key)
        del self._rooms[room.code]

    def guess(self, code: str, phone: str, address: str, value: float) -> bool:
        """Count a guess between 0 and 1; False if this phone has guessed already."""
        room = self.find(code)
        if not 0 <= value <= 1:
            raise ClassError("A guess must lie between 0 and 100 %.")
        mark, place = room.fingerprint(phone), room.fingerprint(address)
        if mark in room.guessed:
            return False
        if room.answer:
            raise ClassError("The answer is shown already. Wait for the next question.")
        is_full = len(room.guessed) >= MOST_PHONES
        if is_full or room.guesses_of[place] >= MOST_PHONES_OF_ADDRESS:
            raise ClassError("As many have guessed as a room, or an address in it, may.")
        room.guessed.add(mark)
        room.guesses_of[place] += 1
        n_options = len(STEPS[room.step]["guess"].get("options", ()))
        at = int(value * n_options) if n_options else round(value * (BINS - 1))
        room.bins[min(at, len(room.bins) - 1)] += 1
        return True

    def ask(
        self, code: str, key: str, step: int, clue: str = "", answer: str = "", shown: str = ""
    ) -> Room:
        """Return a room to its projector; with another step its guesses begin again.

        Phones are told the clue, what the screen shows, and the answer once it shows that.
        """
        room = self.find(code, key)
        if step != room.step:
            room.begin(step)
        room.clue, room.answer = clue[:MOST_LETTERS], answer[:MOST_LETTERS]
        room.shown = shown if len(shown) <= MOST_SHOWN else ""
        return room

    def _seen(self, code: str) -> Room | None:
        """Forget the rooms that were idle for long; return the one of a code, if it is there."""
        began = self._clock() - IDLE_SECONDS
        self._rooms = {at: room for at, room in self._rooms.items() if room.seen_at >= began}
        return self._rooms.get(code.strip().upper())
