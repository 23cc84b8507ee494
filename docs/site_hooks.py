"""What the site does with its pages, so that they work offline and in themselves.

Formulas become MathML, which is part of HTML: no script has to be loaded to show them. Links to
files of the repository beside the documentation are left as their names. Notebooks lose a script
that would load drawings of a kind they do not have from outside.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from latex2mathml.converter import convert

from probtrees.ui.learn.lesson_file import lesson_html

_BLOCK = re.compile(r"^\$\$(.+?)\$\$$", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"(?<![\w$\\`])\$([^\s$][^$\n]*?)\$(?![\w$])")
_OUTSIDE = re.compile(r"\[([^\]]+)\]\(\.\./[^)]+\)")
_LOADER = re.compile(r"<script[^>]*>(?:(?!</script>).)*?mermaid.*?</script>", re.DOTALL)
_CODE = re.compile(r"(```.*?```|`[^`\n]*`)", re.DOTALL)


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Convert everything but code."""
    if page.file.src_uri.endswith(".ipynb"):
        return markdown
    parts = _CODE.split(markdown)
    parts[::2] = [_converted(part) for part in parts[::2]]
    return "".join(parts)


def on_post_build(config: Any) -> None:
    """Put the lesson beside the pages: it is one file that needs no server."""
    Path(config["site_dir"], "lesson.html").write_text(lesson_html(), encoding="utf-8")


def on_post_page(output: str, **_: Any) -> str:
    """Drop what would ask outside."""
    return _LOADER.sub("", output)


def _converted(text: str) -> str:
    text = _BLOCK.sub(lambda found: convert(found[1].strip(), display="block"), text)
    text = _INLINE.sub(lambda found: convert(found[1]), text)
    return _OUTSIDE.sub(r"\1", text)
