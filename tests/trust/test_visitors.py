"""Visitors of a real server: separate tables, connections that resume, limits that hold."""

import argparse
import time
from collections.abc import Iterator

import pytest

from tests.app.conftest import free_port, served
from tests.trust.load import Visitor
from tests.trust.protocol_session import ProtocolSession

pytestmark = pytest.mark.slow

PATIENCE = 180


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    number = free_port()
    with served(number, PROBTREES_MAX_ROWS="400"):
        yield number


def table(n_rows: int, mark: str) -> bytes:
    lines = [f"{n % 17},{'ab'[n % 2]},{mark if n % 3 else 'other'}" for n in range(n_rows)]
    return "\n".join(["x,group,class", *lines]).encode()


def use_own_table(port: int, mark: str) -> ProtocolSession:
    tab = ProtocolSession(port, patience=PATIENCE)
    assert tab.use_table(f"{mark}.csv", table(120, mark))
    assert not tab.waiting
    return tab


def headline(tab: ProtocolSession) -> str:
    return "\n".join(tab.texts("markdown"))


def test_a_lost_connection_resumes_with_the_table_in_use(port: int) -> None:
    tab = use_own_table(port, "quagga")
    assert "quagga" in headline(tab)
    tab.enter("Rows in two branches of a split", 9)
    tab.settle(PATIENCE)
    tab.reconnect()
    assert tab.settle(PATIENCE)
    assert "quagga" in headline(tab)
    assert (
        tab.find("number_input", "Rows in two branches of a split").value == 9
        or tab.find("number_input", "Rows in two branches of a split").set_value
    )
    tab.close()


def test_a_new_visitor_finds_nothing_of_another(port: int) -> None:
    owner = use_own_table(port, "okapi")
    stranger = ProtocolSession(port, patience=PATIENCE)
    for page in ("", "data", "network", "compare", "learn"):
        stranger.open(page)
        stranger.settle(PATIENCE)
    assert b"okapi" in owner.received
    assert b"okapi" not in stranger.received
    owner.close()
    stranger.close()


def test_a_table_beyond_the_limit_is_refused_and_the_old_one_stays(port: int) -> None:
    tab = use_own_table(port, "tapir")
    tab.open("data")
    tab.upload("A table of your own", "large.csv", table(500, "large"))
    assert any("at most 400 on this server" in text for text in tab.texts("alert"))
    tab.open("")
    tab.settle(PATIENCE)
    assert "tapir" in headline(tab)
    tab.close()


def test_several_visitors_at_once(port: int) -> None:
    args = argparse.Namespace(seed=1, patience=PATIENCE, pause=0.5)
    visitors = [Visitor(port, number, args) for number in range(4)]
    until = time.monotonic() + 12
    for visitor in visitors:
        visitor.start(until)
    for visitor in visitors:
        visitor.thread.join(PATIENCE)
    for visitor in visitors:
        assert visitor.problems == []
        assert visitor.seen == set()
        assert visitor.clicks
