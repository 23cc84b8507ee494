"""Walks through the app: the same table and choices show the same, by whatever way one came.

A walk makes random steps as a person does; what the person chose is noted beside the app. At its
end the tree, the scores and the address are those of a fresh start with the same choices.
``PROBTREES_WALKS=1000 pytest tests/app/test_walks.py -m slow`` walks on, and prints a summary.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test
from streamlit.testing.v1 import AppTest

from probtrees.ui.shared import kept_session
from probtrees.ui.shared.session.kept_tables import SUFFIX, KeptTables, SavedSession
from tests.app.app_page import address, clean_table, field, give, noisy_table, press, put, ran
from tests.app.conftest import ROOT

WALKS = int(os.environ.get("PROBTREES_WALKS", "40"))
Choices = dict[str, Any]


TABLES = {
    upload.name: upload for upload in (noisy_table("a", 1), noisy_table("b", 5), clean_table())
}
SAMPLES = ("titanic", "stroke")
SMOOTHER_LABELS = {"mle": "Raw share (MLE)", "laplace": "Add one (Laplace)"}


class Person:
    """Somebody who works in one tab: does what the steps say, by the widgets of the pages."""

    def __init__(self, before: Person | None = None) -> None:
        """Open the app, or reload the page that somebody has open."""
        self.app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=180)
        if before is not None:
            self.app.query_params.update(address(before.app))
            self.app._page_hash = before.app._finished_page_script_hash
        ran(self.app)

    def go(self, page: str) -> None:
        """Open a page by the menu, which forgets the address of the last."""
        self.app.query_params.clear()
        ran(self.app.switch_page(f"pages/{page}.py"))

    def take(self, table: str) -> None:
        """Upload a table, or choose a sample."""
        if table in TABLES:
            give(self.app, TABLES[table].content, table)
        else:
            put(self.app, "Sample", table)

    def choose(self, name: str, value: Any) -> None:
        """Make a choice on the Tree page."""
        if name == "all":
            button = next((b for b in self.app.button if b.label.startswith("all ")), None)
            if button is not None:
                press(self.app, button.label)
        elif name == "never":
            self.app.session_state["correct here"] = True
            ran(self.app)
            split = field(self.app, "Split on")
            split.select_index(next(n for n, o in enumerate(split.options) if o[0] == value))
            ran(self.app)
            self.app.button(key="edit.other 3").click()
            ran(self.app)
        else:
            put(self.app, name, value)

    def sees(self) -> dict[str, Any]:
        """Return what the Tree page shows: the tree, its leaves, the scores and the address."""
        self.app.session_state["correct here"] = self.app.session_state["growing"] = False
        page = ran(self.app)
        lines = [text.value for text in page.markdown]
        return {
            "tree": next(text for text in lines if "lea" in text and "target:" in text),
            "leaves": page.dataframe[0].value.to_csv(),
            "scores": [re.sub("<[^>]*>", "", h.value) for h in page.get("html")][1:],
            "said": [text.value for text in page.caption],
            "address": address(page),
        }


_fresh: dict[str, dict[str, Any]] = {}
_taken: Counter[str] = Counter()
_visitors = count()
_saved: list[SavedSession] = []
_who = ["", ""]
"""The visitor and the tab of the walk."""

TARGET, OUTCOME = "What do you want to know?", "Outcome of interest"


def fresh(table: str, chosen: Choices, node: str | None) -> dict[str, Any]:
    """Return what a fresh start shows with the same table, choices and selection."""
    key = f"{table} {chosen} {node}"
    if key not in _fresh:
        _who[:] = [f"fresh {next(_visitors)}", "1" * 32]
        person = Person()
        person.take(table)
        for name, value in chosen.items():
            person.choose(name, value)
        if node is not None:
            person.app.session_state["node"] = int(node)
        _fresh[key] = person.sees()
    return _fresh[key]


class Walk(RuleBasedStateMachine):
    """Random steps, and what a person chose on the way, by table."""

    @initialize()
    def start(self) -> None:
        _who[:] = [f"walker {next(_visitors)}", "0" * 32]
        self.person, self.table, self.at = Person(), "titanic", "tree"
        self.chosen: dict[str, Choices] = {}

    def choose(self, name: str, value: Any) -> None:
        _taken[name] += 1
        if self.at != "tree":
            self.go("tree")
        self.person.choose(name, value)
        chosen = self.chosen.setdefault(self.table, {})
        chosen[name] = value
        if name == TARGET:
            chosen.pop(OUTCOME, None)

    def step(self, name: str, act: Callable[[], None]) -> None:
        _taken[name] += 1
        act()

    @rule(table=st.sampled_from([*TABLES, *SAMPLES]))
    def take(self, table: str) -> None:
        if table != self.table:
            self.step("take", lambda: self.person.take(table))
            self.table = table

    @rule(page=st.sampled_from(["data", "tree", "compare"]))
    def go(self, page: str) -> None:
        if page != self.at:
            self.step(page, lambda: self.person.go(page))
            self.at = page

    @rule(column=st.sampled_from(["z", "ill"]))
    def target(self, column: str) -> None:
        if self.table in ("a.csv", "b.csv") and column != self.chosen.get(self.table, {}).get(
            TARGET, "ill"
        ):
            self.choose(TARGET, column)

    @rule(number=st.sampled_from([0, 1]))
    def outcome(self, number: int) -> None:
        self.choose(OUTCOME, number)

    @rule(name=st.sampled_from(sorted(SMOOTHER_LABELS)))
    def smoother(self, name: str) -> None:
        self.choose("smoother", name)

    @rule(rows=st.sampled_from([5, 40]))
    def smallest_leaf(self, rows: int) -> None:
        self.choose("c45.min_leaf field", rows)

    @rule()
    def show_all(self) -> None:
        if not {"c45.min_leaf field", "never", "all"} & {*self.chosen.get(self.table, {})}:
            self.choose("all", True)

    @rule(column=st.sampled_from(["x", "z"]))
    def correct(self, column: str) -> None:
        free = {"never", TARGET}.isdisjoint(self.chosen.get(self.table, {}))
        if free and self.table in TABLES:
            self.choose("never", column)

    @rule(is_open=st.booleans())
    def growing(self, is_open: bool) -> None:
        def act() -> None:
            self.person.app.session_state["growing"] = is_open
            ran(self.person.app)

        if self.at == "tree":
            self.step("growing", act)

    @rule()
    def pass_on(self) -> None:
        """Save the session, and open the file elsewhere."""

        def act() -> None:
            ran(self.person.app)
            content = _saved[-1].to_bytes()
            _who[0] = f"walker {next(_visitors)}"
            self.person = Person()
            give(self.person.app, content, f"my{SUFFIX}")

        if self.at == "data":
            self.step("pass on", act)
            self.at = "tree"

    @rule()
    def reload(self) -> None:
        self.step("reload", lambda: setattr(self, "person", Person(self.person)))

    def teardown(self) -> None:
        if hasattr(self, "person"):
            self.go("tree")
            shown = self.person.sees()
            chosen = self.chosen.get(self.table, {})
            # A correction selects the node where it was made; nothing else here selects one.
            node = shown["address"].get("node") if "never" in chosen else None
            assert shown == fresh(self.table, chosen, node)


def walk(n_walks: int, n_steps: int, **options: Any) -> None:
    """Walk, and print how often each step was taken."""
    asked = settings(
        max_examples=n_walks,
        stateful_step_count=n_steps,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],  # to shrink a walk takes minutes
        **options,
    )
    _taken.clear()
    run_state_machine_as_test(Walk, settings=asked, _min_steps=n_steps)
    print(f"{n_walks} walks, {_taken.total()} steps:", dict(_taken.most_common()))


@pytest.fixture(autouse=True)
def one_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, patient_page: None) -> None:
    """Keep tables of all walkers on one disk, each under a name of its own."""
    tables = KeptTables(tmp_path)
    monkeypatch.setattr(kept_session, "kept_tables", lambda: tables)
    monkeypatch.setattr(kept_session, "_visitor", lambda: _who[0])
    of = SavedSession.of

    def save(*given: Any) -> SavedSession:
        _saved[:] = [of(*given)]
        return _saved[0]

    monkeypatch.setattr(SavedSession, "of", save)
    monkeypatch.setattr(kept_session, "_tab", lambda part: _who[1] if part == "tab" else "")


def test_short_walks_end_where_a_fresh_start_does() -> None:
    walk(20, 8, derandomize=True)


@pytest.mark.slow
def test_walks_end_where_a_fresh_start_does() -> None:
    walk(WALKS, 12, derandomize=True)
