"""Sessions that nobody comes back to are ended, with all that they hold."""

from types import SimpleNamespace

from probtrees.ui.shared.session.gone_visitors import ForgettingStorage


class Session:
    def __init__(self, name):
        self.id, self.is_over = name, False

    def shutdown(self):
        self.is_over = True


def lost(name):
    return SimpleNamespace(session=Session(name))


def test_a_session_is_ended_once_its_time_is_over():
    storage = ForgettingStorage(ttl_seconds=0)
    first = lost("first")
    storage.save(first)
    assert storage.forget() == 1
    assert first.session.is_over


def test_losing_another_session_ends_those_whose_time_is_over():
    storage = ForgettingStorage(ttl_seconds=0)
    first = lost("first")
    storage.save(first)
    storage.save(lost("second"))
    assert first.session.is_over


def test_a_session_that_is_taken_up_again_goes_on():
    storage = ForgettingStorage()
    first = lost("first")
    storage.save(first)
    assert storage.get("first") is first
    storage.delete("first")
    assert storage.forget() == 0
    assert not first.session.is_over
