"""Sessions that nobody comes back to are ended, with all that they hold."""

from types import SimpleNamespace

from probtrees.ui import server
from probtrees.ui.server import ForgettingStorage
from probtrees.ui.shared.session import bounded_cache
from probtrees.ui.shared.session.bounded_cache import BoundedCache


class Session:
    def __init__(self, name):
        self.id, self.is_over = name, False

    def shutdown(self):
        self.is_over = True


def lost(name):
    return SimpleNamespace(session=Session(name))


def test_a_session_is_ended_once_its_time_is_over_or_another_is_lost():
    storage = ForgettingStorage(ttl_seconds=0)
    first, second = lost("first"), lost("second")
    storage.save(first)
    storage.save(second)
    assert first.session.is_over
    assert storage.forget() == 1
    assert second.session.is_over


def test_a_session_that_is_taken_up_again_goes_on():
    storage = ForgettingStorage()
    first = lost("first")
    storage.save(first)
    assert storage.get("first") is first
    storage.delete("first")
    assert storage.forget() == 0
    assert not first.session.is_over


def test_a_session_that_ends_gives_back_what_it_alone_asked_for(monkeypatch):
    cache = BoundedCache(1 << 20)
    monkeypatch.setattr(server, "bounded_cache", lambda: cache)
    monkeypatch.setattr(bounded_cache, "visitor", lambda: "first")
    cache.keep("table", b"x" * 5000)
    storage = ForgettingStorage(ttl_seconds=0)
    storage.save(lost("first"))
    storage.forget()
    assert cache.n_bytes == 0


def test_where_too_many_are_lost_the_oldest_is_ended():
    storage = ForgettingStorage(maxsize=2)
    sessions = [lost(str(number)) for number in range(4)]
    for session in sessions:
        storage.save(session)
    assert [session.session.is_over for session in sessions] == [True, True, False, False]
