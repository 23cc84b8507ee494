"""Write the lesson of the app as one HTML file that needs no server: the browser computes it."""

from __future__ import annotations

import argparse

from probtrees.cli.console import Console
from probtrees.ui.learn.lesson_file import lesson_html

EXAMPLES = """\
examples:
  probtrees lesson lesson.html
  a frame of one step: <iframe src="lesson.html?step=hgs&told=1"></iframe>
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.add_argument("out", metavar="OUT", help="the file to write, lesson.html")


def run(args: argparse.Namespace, console: Console) -> None:
    """Write the lesson."""
    console.write(args.out, lesson_html(), "out")
