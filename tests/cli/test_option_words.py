"""Remedies in notes and errors are options of the command line."""

import re

import pytest

from probtrees.cli import main
from probtrees.cli.console import in_options

FLAGS = {
    "target": "--target",
    "type": "--type",
    "role": "--role",
    "missing": "--missing",
    "steps": "--steps",
    "sheet": "--sheet",
    "k": "--k",
}


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("target='a b' must be a column.", "--target 'a b' must be a column."),
        ("Read the second one (sheet='2').", "Read the second one (--sheet 2)."),
        ("option='k' must be an option of 'c45'.", "--k must be an option of 'c45'."),
        ("'age'='abc' in row 3 must be a number.", "'age'='abc' in row 3 must be a number."),
        ("file='x' must be usable.", "file='x' must be usable."),
        (
            "Column 'x' counts the rows. Ignore this column (role 'ignore').",
            "Column 'x' counts the rows. Ignore this column (--role x=ignore).",
        ),
        (
            "Column 'x' holds '99' and '999'. Treat them as missing (missing '99', '999').",
            "Column 'x' holds '99' and '999'. Treat them as missing (--missing x=99 --missing "
            "x=999).",
        ),
        (
            'Cut it with steps=[{"step": "cut", "at": 5}], or not.',
            """Cut it with --steps '[{"step": "cut", "at": 5}]', or not.""",
        ),
    ],
)
def test_sentences_name_the_options(sentence, words):
    assert in_options(sentence, FLAGS) == words


def test_every_remedy_in_the_notes_of_growing_is_an_option(capsys, tmp_path):
    rows = [
        f"{i + 1000},{i % 50 if i % 9 else 999},{'unknown' if i % 7 == 0 else 'red'},"
        f"{('Yes', 'yes', 'no')[i % 3]},2020-01-{i % 28 + 1:02d},{'ab'[i % 2]}\n"
        for i in range(120)
    ]
    path = tmp_path / "habits.csv"
    path.write_text("number,score,colour,agrees,seen,y\n" + "".join(rows))
    assert main(["grow", str(path), "--smoother", "laplace"]) == 0
    notes = [line for line in capsys.readouterr().err.splitlines() if line.startswith("note:")]
    asked = re.compile(r"\((missing|role|type) '|--(missing|role|type) ")
    told = [note for note in notes if asked.search(note)]
    assert len(told) >= 3
    assert all("--" in note for note in told)
    assert any("--missing score=999" in note for note in told)
