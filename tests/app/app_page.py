"""A page of the app without a browser: opened, given files, pressed and read."""

import random
import time
from typing import Any

from streamlit.testing.v1 import AppTest

from probtrees.ui.shared.session.bounded_cache import Upload
from tests.app.conftest import ROOT


def noisy_table(name: str, seed: int, n_rows: int = 200) -> Upload:
    """Return a table of which defaults grow a large tree: the app proposes a smaller one."""
    draw = random.Random(seed)
    lines = [f"x,z,w,site {name},ill"]
    for _ in range(n_rows):
        x, z, w, site = (draw.randrange(6) for _ in range(4))
        ill = "yes" if draw.random() < (0.8 if x > 2 else 0.2) else "no"
        lines.append(f"a{x},b{z},c{w},d{site},{ill}")
    return Upload(f"{name}.csv", "\n".join(lines).encode())


def clean_table() -> Upload:
    """Return a table whose tree is small and true: nothing is to be proposed."""
    lines = [f"{n % 9},{n % 7},{'yes' if n % 9 > 4 and n % 7 > 2 else 'no'}" for n in range(200)]
    return Upload("clean.csv", "\n".join(["x,z,ill", *lines]).encode())


def visit(page: str, link: dict[str, str] | None = None, **kept: Any) -> AppTest:
    """Open a page by a link, in a session that already keeps something ("c45__min_leaf").

    The page "app" is the front page with the navigation around it.
    """
    file = ROOT / "app.py" if page == "app" else ROOT / "pages" / f"{page}.py"
    opened = AppTest.from_file(str(file), default_timeout=180)
    opened.query_params.update(link or {})
    for key, value in kept.items():
        opened.session_state[key.replace("__", ".")] = value
    return ran(opened)


def ran(page: AppTest) -> AppTest:
    """Run a page again until its jobs are done; nothing may break."""
    until = time.monotonic() + 120
    page.run()
    while page.get("progress") and time.monotonic() < until:
        time.sleep(0.1)
        page.run()
        check_page(page)
    return check_page(page)


def check_page(page: AppTest) -> AppTest:
    """Refuse an exception on a page, and a traceback in what it says."""
    assert not page.exception, [f"{each.type} {each.message}"[:1500] for each in page.exception]
    assert not [each.value[:1000] for each in page.error if "Traceback" in each.value]
    return page


def give(page: AppTest, content: str | bytes, name: str = "mine.csv") -> AppTest:
    """Upload a file in the first field for one."""
    written = content.encode() if isinstance(content, str) else content
    page.file_uploader[0].set_value((name, written, ""))
    return ran(page)


_FIELDS = ("selectbox", "multiselect", "radio", "button_group", "number_input", "text_input")
_FIELDS += ("toggle", "checkbox", "file_uploader")


def field(page: AppTest, words: str) -> Any:
    """Return the one field of a label or a key, or else of one that begins so."""
    fields = [each for kind in _FIELDS for each in page.get(kind)]
    named = [each for each in fields if {each.label, each.key} & {words, f"{words} field"}]
    begun = [each for each in fields if f"\n{words}" in f"\n{each.label}\n{each.key}"]
    (found,) = named or begun
    return found


def put(page: AppTest, words: str, value: Any) -> AppTest:
    """Give a field another value."""
    field(page, words).set_value(value)
    return ran(page)


def press(page: AppTest, label: str) -> AppTest:
    """Press the first button of that label."""
    plain = [button.label.replace("\\", "").replace("\u2060", "") for button in page.button]
    assert label in plain, plain
    page.button[plain.index(label)].click()
    return ran(page)


def words_of(page: AppTest) -> str:
    """Return what a page says, without the marks that keep text from being formatting."""
    parts = [*page.markdown, *page.caption, *page.error, *page.warning, *page.info]
    return "\n".join(str(part.value) for part in parts).replace("\\", "").replace("\u2060", "")


def html_of(page: AppTest) -> str:
    """Return what a page draws as HTML."""
    return "\n".join(element.proto.body for element in page.get("html"))


def kept(page: AppTest, key: str, otherwise: Any = None) -> Any:
    """Return what the session keeps under a key."""
    if key not in page.session_state:
        return otherwise
    return page.session_state[key]


def address(page: AppTest) -> dict[str, str]:
    """Return the parts of the address."""
    return {
        name: text[0] if isinstance(text, list) else text
        for name, text in dict(page.query_params).items()
    }
