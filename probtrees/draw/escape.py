"""Text from data made harmless, one function per place it may be put.

Column names, values and classes come from the user's table and may hold anything: markup,
quotes, formulas, control characters. Whatever is drawn or written passes through here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from probtrees.errors import one_line

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?%?$")
_WORD_JOINER = "\u2060"
_NO_MARKUP = re.compile(r"[\w(][\w \-(),.%/'°€£²³µ]*")
_EMPHASIS = re.compile(r"(?<![^\W_])_|_(?![^\W_])|^\d+[.)](?!\S)|\w\.\w+/|www\.", re.IGNORECASE)


def shorten(text: str, limit: int) -> str:
    """Cut a long text for a picture, keeping both ends; between words where there are some.

    >>> shorten("a very long column name", 12)
    'a very…name'
    >>> shorten("Satisfaction with opening hours (q7)", 28)
    'Satisfaction with…hours (q7)'
    """
    text = one_line(text)
    if len(text) <= limit:
        return text
    tail = (limit - 1) * 2 // 5
    begin, end = limit - 1 - tail, len(text) - tail
    if text[begin] != " ":
        begin = max(text.rfind(" ", begin // 2, begin), 0) or begin
    if text[end - 1] != " ":
        end = max(text.find(" ", end, len(text) - tail // 2), 0) or end
    return f"{text[:begin].rstrip()}…{text[end:].lstrip()}"


def dot_string(text: str) -> str:
    r"""Quote a text for DOT; entities and escapes in it stay visible as they are.

    >>> print(dot_string('a "b" \\ &lt;'))
    "a \"b\" \\ &amp;lt;"
    """
    text = one_line(text).replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


def html_text(text: str) -> str:
    """Escape a text for HTML, SVG and Graphviz' HTML-like labels.

    >>> html_text("<b> & 'c'")
    '&lt;b&gt; &amp; &#x27;c&#x27;'
    """
    return escape(one_line(text), quote=True)


def page_in_attribute(page: str) -> str:
    """Escape a whole page for the ``srcdoc`` of a frame; its lines stay lines.

    >>> page_in_attribute('<p title="a">')
    '&lt;p title=&quot;a&quot;&gt;'
    """
    return escape(page, quote=True)


def html_lines(lines: Iterable[str]) -> str:
    """Escape several lines for preformatted HTML, keeping them apart.

    >>> html_lines(["a < b", "c"]).splitlines()
    ['a &lt; b', 'c']
    """
    return "\n".join(html_text(line) for line in lines)


def markdown_text(text: str) -> str:
    r"""Escape a text for Markdown as the app renders it.

    Every punctuation mark is escaped; a colon also gets an invisible companion, so that
    neither emoji names nor colour directives are recognised.

    >>> print(markdown_text("**b** $x$"))
    \*\*b\*\* \$x\$
    """
    escaped = _PUNCTUATION.sub(r"\\\1", one_line(text))
    return escaped.replace("\\:", f"\\:{_WORD_JOINER}")


def label_text(text: str) -> str:
    r"""Escape a text for the label of a widget, which screen readers read as it is written.

    So a name in which nothing is markup stays as it is.

    >>> print(label_text("Loan (EUR, 2024)"), label_text("**b**"), label_text("_a_"))
    Loan (EUR, 2024) \*\*b\*\* \_a\_
    >>> print(label_text("1.5 to 2.5"), label_text("1. item"))
    1.5 to 2.5 1\. item
    """
    text = one_line(text)
    is_plain = _NO_MARKUP.fullmatch(text) and not _EMPHASIS.search(text)
    return text if is_plain else markdown_text(text)


def csv_text(text: str) -> str:
    """Keep a spreadsheet from running a text as a formula; numbers are not touched.

    >>> csv_text("=cmd()"), csv_text("-1.5"), csv_text("-x"), csv_text("plain")
    ("'=cmd()", '-1.5', "'-x", 'plain')
    """
    if text[:1] in {"=", "+", "-", "@", "\t", "\r", "\n", "|", "%"} and not _NUMBER.match(text):
        return f"'{text}"
    return text
