"""The lesson as its scripts and words, and as one HTML file that needs no server.

The browser computes all of it; tests run the scripts in Node against the package.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from probtrees.draw.palette import PAINTS, Theme

_ASSETS = Path(__file__).parent / "assets"
COMPUTE = (
    "smoothers",
    "restaurant",
    "lesson_facts",
    "gibbs",
    "lesson_worlds",
    "words",
    "lesson_link",
)
SHOW = (
    "formula",
    *(f"lesson_{name}" for name in ["tree", "axis", "charts", "runs", "panels", "words"]),
)
JOIN = tuple(
    f"lesson_{name}" for name in ["game", "jobs", "class", "answers", "marks", "slide", "view"]
)
"""Scripts of the lesson: those that only compute run anywhere; the last join all."""

_STYLE = (
    ":root {{ {light} }} @media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }} "
    ":root {{ --st-font: system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif; }} "
    "body {{ margin: 0 auto; max-width: 1400px; padding: 0.6rem 1.2rem; "
    "background: var(--st-background-color); color-scheme: light dark; }} "
    ".lesson {{ scroll-margin-top: 0; }} .lesson:not(.slide) .picture {{ top: 0.5rem; }}"
)


def asset(name: str) -> str:
    """Read a script, a style or the words of the lesson."""
    return (_ASSETS / name).read_text(encoding="utf-8")


STEPS: list[dict[str, Any]] = json.loads(asset("lesson_steps.json"))
"""The steps in their order. Sentences hold places for numbers, which the browser fills in:
``{name%}`` a percentage, ``{name@}`` percentage points, ``{name#}`` a count, ``{name&}`` a number
of rows, ``{name~}`` a number, ``{name:word}`` a count of things, ``{name}`` a text."""


def scripts(*names: str) -> str:
    """Join scripts of the lesson, "words" among them; nothing ends the element of a script."""
    words = f"const STEPS = {json.dumps(STEPS, ensure_ascii=False)};"
    parts = (words if name == "words" else asset(f"{name}.js") for name in names)
    return "\n".join(parts).replace("</", "<\\/")


def lesson_html() -> str:
    """Write the lesson as one page: opened as a file, on a web server, or in a frame."""
    script = scripts(*COMPUTE, *SHOW, *JOIN, "lesson_alone")
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Smoothing in nine steps'
        '</title><meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{style_of_page()}</style>"
        f'<main class="lesson"></main><script type="module">{script}</script></html>\n'
    )


def style_of_page() -> str:
    """Write the style of a page outside of the app, light or dark as its reader's screen is."""
    return asset("lesson.css") + _STYLE.format(light=_colours("light"), dark=_colours("dark"))


def _colours(theme: Theme) -> str:
    """Name the colours of a page as Streamlit does in the app."""
    paint = PAINTS[theme]
    colours = {
        "text": paint.text,
        "background": paint.page,
        "secondary-background": paint.card,
        "primary": paint.accent,
    }
    return " ".join(f"--st-{name}-color: {colour};" for name, colour in colours.items())
