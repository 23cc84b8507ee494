"""A table outlives a session: kept for a visitor, found by the cookie, forgotten on request."""

from __future__ import annotations

import asyncio
import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from streamlit.testing.v1 import AppTest

from probtrees.table.read_options import ReadOptions
from probtrees.ui.server import NamedTab, VisitorCookie, page_routes
from probtrees.ui.shared import kept_session
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.given_files import Upload
from probtrees.ui.shared.session.kept_tables import (
    COOKIE,
    KEEP,
    TAB_HEADERS,
    KeptTables,
    kept_tables,
)

DATA = str(Path(__file__).resolve().parents[2] / "pages" / "data.py")
CONTENT = ("x,ill\n" + "".join(f"{i % 9},{'yn'[i % 2]}\n" for i in range(60))).encode()
OWN = Upload("own.csv", CONTENT)
OTHER = Upload("other.csv", b"p,q\n1,2\n")
VIEW = {"reading": {}, "choices": {}}


def test_what_is_kept_comes_back_to_its_visitor_only(tmp_path: Path) -> None:
    tables = KeptTables(tmp_path)
    tables.save("a", OWN, VIEW)
    assert tables.load("a") == (OWN, VIEW)
    assert tables.load("b") is None
    (place,) = tmp_path.iterdir()
    assert place.name != "a"
    assert not stat.S_IMODE(place.stat().st_mode) & 0o077
    tables.save("a", OTHER, VIEW)
    assert tables.load("a") == (OTHER, VIEW)
    assert len(list(place.iterdir())) == 2
    tables.forget("a", OTHER.digest)
    assert tables.load("a") is None
    assert not list(place.iterdir())


def test_what_a_tab_found_out_outlives_it_and_is_forgotten_with_its_table(tmp_path: Path) -> None:
    tables = KeptTables(tmp_path)
    tables.save("a", OWN, VIEW, "first")
    tables.save_record("a", "comparisons", "first", f'["{OWN.digest}"]')
    tables.save_record("a", "comparisons", "second", "[]")
    assert tables.load_record("a", "comparisons", "first") == f'["{OWN.digest}"]'
    assert tables.load_record("a", "comparisons", "new", "first") == f'["{OWN.digest}"]'
    assert tables.load_record("a", "comparisons", "new") is None
    assert tables.load_record("b", "comparisons", "first") is None
    tables.save("a", OWN, VIEW, "first")
    assert tables.load_record("a", "comparisons", "second") == "[]"
    assert tables.has_table("a", OWN.digest)
    tables.forget("a", OWN.digest)
    assert not tables.has_table("a", OWN.digest)
    assert tables.load_record("a", "comparisons", "first") is None
    assert KeptTables(tmp_path, seconds=-1).load_record("a", "comparisons", "second") is None


def test_every_tab_finds_its_own(tmp_path: Path) -> None:
    tables = KeptTables(tmp_path)
    tables.save("a", None, {}, "sample")
    tables.save("a", OWN, VIEW, "first")
    tables.save("a", OTHER, VIEW, "second")
    assert tables.load("a", "first") == (OWN, VIEW)
    assert tables.load("a", "second") == (OTHER, VIEW)
    assert tables.load("a", "sample") is None
    assert tables.load("a", "new") == (OTHER, VIEW)
    assert tables.load("a", "copy", "first") == (OWN, VIEW)
    assert tables.load("b", "first") is None
    tables.save("a", None, {}, "first")  # a link to a sample: the way back stays open
    assert tables.load("a", "first") == (OWN, VIEW)
    tables.save("a", Upload("report.pdf", b"%PDF"), {**VIEW, "in_use": False}, "third")
    assert tables.load("a", "new") == (OTHER, VIEW)
    tables.forget("a", OWN.digest)
    assert tables.load("a", "second") == (OTHER, VIEW)
    assert OWN.digest not in {file.name for file in tables._place("a").iterdir()}


def test_tabs_of_one_visitor_are_bounded(tmp_path: Path) -> None:
    long = 500 * CONTENT
    tables = KeptTables(tmp_path, most_bytes=2 * len(long))
    for number in range(60):
        tables.save("a", Upload("t.csv", long + b"\n" * (number // 20)), VIEW, f"{number:032x}")
    files = [file.name for file in tables._place("a").iterdir()]
    assert sum(name.endswith(".json") for name in files) <= 50
    assert sum(not name.endswith(".json") for name in files) == 1
    assert tables.load("a", f"{59:032x}") is not None


def test_what_is_old_or_too_much_goes(tmp_path: Path) -> None:
    tables = KeptTables(tmp_path, most_bytes=3 * len(CONTENT))
    for age, visitor in enumerate("abc"):
        tables.save(visitor, Upload(f"{visitor}.csv", CONTENT + b"\n" * age), VIEW)
        for file in tables._place(visitor).iterdir():
            os.utime(file, (file.stat().st_mtime - 100 * (5 - age),) * 2)
    tables.save("d", OWN, VIEW)
    assert tables.load("a") is None
    assert tables.load("d") is not None
    assert KeptTables(tmp_path, seconds=50).load("c") is None
    KeptTables(tmp_path, seconds=50).tidy()
    assert [place.name for place in tmp_path.iterdir()] == [tables._place("d").name]


@pytest.mark.parametrize("damage", ["view.json", "table"])
def test_what_is_damaged_is_as_if_it_were_not_there(tmp_path: Path, damage: str) -> None:
    tables = KeptTables(tmp_path)
    tables.save("a", OWN, VIEW)
    place = tables._place("a")
    (place / (OWN.digest if damage == "table" else damage)).write_bytes(b"rubbish")
    assert tables.load("a") is None


def test_a_reading_is_written_and_read_back() -> None:
    reading = ReadOptions(
        roles={"a": "ignore"}, types={"b": "nominal"}, cut_target=2.5, sheet="S", repeats="apart"
    )
    reading = reading.with_fix("b", "missing", "not said").with_fix("b", "join", "b")
    reading = reading.with_fix(None, "as_written", "dashes")
    written = json.loads(json.dumps(kept_session.reading_to(reading)))
    assert kept_session.reading_from(written) == reading
    assert hash(kept_session.reading_from(written)) == hash(reading)
    assert kept_session.reading_from({"of a later release": 1}) == ReadOptions()


def test_nothing_is_kept_unless_the_server_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(KEEP, raising=False)
    assert kept_tables() is None


def test_a_new_session_takes_up_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = KeptTables(tmp_path)
    monkeypatch.setattr(kept_session, "kept_tables", lambda: tables)
    monkeypatch.setattr(kept_session, "_visitor", lambda: "me")
    first = AppTest.from_file(DATA, default_timeout=180).run()
    first.file_uploader[0].set_value(("own.csv", CONTENT, "text/csv")).run()
    next(button for button in first.button if button.label == "Grow the tree").click().run()
    assert not first.exception
    second = AppTest.from_file(DATA, default_timeout=180).run()
    assert not second.exception
    assert second.session_state[state.UPLOAD] == OWN
    assert second.markdown[0].value.startswith("**own\\.csv** · 60 rows")
    by_sample = AppTest.from_file(DATA, default_timeout=180)
    by_sample.query_params["sample"] = "iris"
    assert state.UPLOAD not in by_sample.run().session_state
    next(button for button in second.button if button.label == "Forget this table").click().run()
    assert not second.exception
    assert state.UPLOAD not in second.session_state
    lost = AppTest.from_file(DATA, default_timeout=180)
    lost.query_params.update({"own": "1", "outcome": "1"})
    lost.run()
    assert not lost.exception
    assert state.UPLOAD not in lost.session_state
    assert state.OUTCOME not in lost.session_state


def test_a_file_that_is_not_in_use_yet_is_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = KeptTables(tmp_path)
    monkeypatch.setattr(kept_session, "kept_tables", lambda: tables)
    monkeypatch.setattr(kept_session, "_visitor", lambda: "me")
    first = AppTest.from_file(DATA, default_timeout=180).run()
    ragged = b"town,warm\na,1\nb,2\n\n" + CONTENT
    first.file_uploader[0].set_value(("two.csv", ragged, "text/csv")).run()
    second = AppTest.from_file(DATA, default_timeout=180).run()
    assert not second.exception
    assert state.UPLOAD not in second.session_state
    assert any("several tables" in words.value for words in second.markdown)
    next(button for button in second.button if button.label == "Forget this table").click().run()
    assert tables.load("me") is None


def test_a_file_that_waits_beside_the_table_in_use_is_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = KeptTables(tmp_path)
    monkeypatch.setattr(kept_session, "kept_tables", lambda: tables)
    monkeypatch.setattr(kept_session, "_visitor", lambda: "me")
    first = AppTest.from_file(DATA, default_timeout=180).run()
    first.file_uploader[0].set_value(("own.csv", CONTENT, "text/csv")).run()
    next(button for button in first.button if button.label == "Grow the tree").click().run()
    other = ("other.csv", CONTENT.replace(b"x", b"z"), "text/csv")
    first.file_uploader[0].set_value(other).run()
    second = AppTest.from_file(DATA, default_timeout=180).run()
    assert not second.exception
    assert second.session_state[state.UPLOAD] == OWN
    assert any(words.value.startswith("**other\\.csv** · 60 rows") for words in second.markdown)
    next(button for button in second.button if button.label == "Grow the tree").click().run()
    assert tables.load("me")[0].name == "other.csv"
    assert tables.load_waiting("me") is None


def test_answers_on_the_data_page_are_not_lost_before_a_tree_is_grown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = KeptTables(tmp_path)
    monkeypatch.setattr(kept_session, "kept_tables", lambda: tables)
    monkeypatch.setattr(kept_session, "_visitor", lambda: "me")
    answers = ("No", "Yes", "Maybe")
    rows = "".join(f"{i % 7},{i % 5},{answers[i % 4 % 3]}\n" for i in range(120))
    first = AppTest.from_file(DATA, default_timeout=180).run()
    first.file_uploader[0].set_value(("q.csv", f"a,b,again\n{rows}".encode(), "text/csv")).run()
    assert _outcome(first).value == "Yes"
    _outcome(first).set_value("Maybe").run()
    second = AppTest.from_file(DATA, default_timeout=180)
    second.query_params["own"] = "1"
    second.run()
    assert not any("This link" in info.value for info in second.info)
    assert _outcome(second).value == "Maybe"
    assert any("Guessed" in caption.value for caption in second.caption)
    next(button for button in second.button if button.label == "Grow the tree").click().run()
    second = AppTest.from_file(DATA, default_timeout=180).run()
    second.multiselect[0].set_value(["b"]).run()
    _outcome(second).set_value("No").run()
    third = AppTest.from_file(DATA, default_timeout=180).run()
    assert third.multiselect[0].value == ["b"]
    assert _outcome(third).value == "No"


def _outcome(page: AppTest) -> Any:
    return next(box for box in page.selectbox if "Which outcome" in box.label)


def test_a_tab_names_itself_when_it_connects() -> None:
    seen: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.extend(scope["headers"])

    query = b"tab=0a1b&copied=ff&other=1"
    scope = {"type": "websocket", "query_string": query, "headers": [(b"host", b"h")]}
    asyncio.run(NamedTab(app)(scope, None, None))  # type: ignore[arg-type]
    tab, copied = TAB_HEADERS["tab"].lower().encode(), TAB_HEADERS["copied"].lower().encode()
    assert seen == [(b"host", b"h"), (tab, b"0a1b"), (copied, b"ff")]


def headers_of(path: str, cookie: str = "") -> list[str]:
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"cookie", cookie.encode())] if cookie else []
    scope = {"type": "http", "path": path, "method": "GET", "headers": headers}
    scope |= {"query_string": b"", "root_path": ""}
    asyncio.run(VisitorCookie(Starlette(routes=page_routes()))(scope, receive, send))
    return [value.decode() for name, value in sent[0]["headers"] if name == b"set-cookie"]


def test_a_browser_gets_one_cookie_that_pages_cannot_read() -> None:
    (cookie,) = headers_of("/tree")
    assert cookie.startswith(f"{COOKIE}=")
    assert {"HttpOnly", "SameSite=Lax"} <= set(cookie.split("; "))
    (other,) = headers_of("/tree")
    assert other != cookie
    assert headers_of("/tree", cookie.split(";")[0]) == []
    assert headers_of("/nothing") == []
