"""What the reference does with docstrings: they are written for readers of code, in numpydoc.

Words after a parameter's colon describe it, since types stand in signatures: ``folds : how many``.
The parser would take them for a type and print them as code. Formulas become MathML, as on the
other pages, and names in roles of Sphinx plain code. Options of an algorithm, declared as fields
with their help, are listed with its class.
"""

from __future__ import annotations

import ast
import re
from typing import Any

import griffe
from latex2mathml.converter import convert

_SECTION = re.compile(r"^(?:Parameters|Attributes)\n-+\n(?:.*\n?)+?(?=^\S.*\n-+$|\Z)", re.MULTILINE)
_ENTRY = re.compile(r"^(\w[\w, ]*?) : (.+)$", re.MULTILINE)
_FORMULA = re.compile(r"^\.\. math::[ \n]+((?:.+\n)(?: +.+\n)*)", re.MULTILINE)
_NAME = re.compile(r":\w+:`~?\.?([\w.]*?)(\w+)`")


def readable(docstring: str) -> str:
    """Rewrite a docstring for the site."""
    text = _SECTION.sub(lambda found: _ENTRY.sub(r"\1\n    \2", found[0]), docstring)
    text = _FORMULA.sub(lambda found: _formula(found[1]) + "\n", text)
    return _NAME.sub(r"`\2`", text)


def _formula(written: str) -> str:
    """Set a formula; one that is written like a program stays code."""
    one_line = " ".join(written.split())
    return convert(one_line, display="block") if "\\" in one_line else f"`{one_line}`"


def _text(node: ast.expr) -> str:
    """Return a string, in which a value that is filled in later is called by its name."""
    if isinstance(node, ast.JoinedStr):
        return "".join(map(_text, node.values))
    if isinstance(node, ast.FormattedValue):
        return ast.unparse(node.value)
    return str(node.value) if isinstance(node, ast.Constant) else ast.unparse(node)


def _options(algorithm: griffe.Class) -> str:
    """List the fields that are declared by ``option(default, help=...)``."""
    lines = []
    for name, field in algorithm.members.items():
        declared = str(getattr(field, "value", ""))
        if not declared.startswith("option("):
            continue
        call = ast.parse(declared, mode="eval").body
        assert isinstance(call, ast.Call)
        words = {part.arg: part.value for part in call.keywords}
        text = _text(words["help"]) if "help" in words else ""
        default = ast.unparse(call.args[0] if call.args else words["default"])
        lines.append(f"- **`{name}`** (default: `{default}`) – {text}")
    return "**Options:**\n\n" + "\n".join(lines) + "\n\n" if lines else ""


class Words(griffe.Extension):
    """Rewrites all docstrings of a package once it is loaded."""

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        """Walk through the package."""
        self._rewrite(pkg)

    def _rewrite(self, part: griffe.Object) -> None:
        if part.docstring is not None:
            text = readable(part.docstring.value)
            if part.is_class:
                before, heading, examples = text.partition("Examples\n--------\n")
                text = f"{before.rstrip()}\n\n{_options(part)}{heading}{examples}"  # type: ignore[arg-type]
            part.docstring.value = text
        for member in part.members.values():
            if not member.is_alias:
                self._rewrite(member)  # type: ignore[arg-type]
