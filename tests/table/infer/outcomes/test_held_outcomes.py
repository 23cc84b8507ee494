"""A value that holds a whole rare outcome and few others is asked about; honest ones are not."""

from __future__ import annotations

import numpy as np
import pytest
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.table.infer.outcomes.held_outcomes import held_outcome
from probtrees.table.infer.outcomes.telling_values import columns_with_telling_values

from probtrees.cli import main
from probtrees.table.read_table import read_table
from probtrees.table.table_report import STRONG_COLUMN


def pupils(
    n_others: int = 45, n_without: int = 0, has: str = "tak", lacks: str = "nie"
) -> tuple[str, bytes]:
    """Make a table of 2,600 pupils of whom 120 failed, with a resit of these and of some others.

    A star in what stands there is one of five marks.
    """
    random = np.random.default_rng(3)
    lines = ["age,resit,result"]
    for n in range(2600):
        has_resit = n_without <= n < 120 + n_others
        result = "failed" if n < 120 else "passed"
        resit = has.replace("*", str(n % 5 + 1)) if has_resit else lacks
        lines.append(f"{random.integers(10, 99)},{resit},{result}")
    return "t.csv", "\n".join(lines).encode()


def asked(source) -> list[str]:
    report = inspect_table(source)
    return [found.sentence for found in report.findings if found.kind == STRONG_COLUMN]


@pytest.mark.parametrize(
    ("has", "lacks", "rows"),
    [
        ("tak", "nie", "with 'tak'"),
        ("August", "", "with 'August'"),
        ("mark *", "", "in which it is filled in"),
        ("*", "0", "in which it is not 0"),
    ],
)
def test_rows_that_hold_a_rare_outcome_are_asked_about(has, lacks, rows):
    source = pupils(has=has, lacks=lacks)
    sentence = f"All 120 rows of 'failed', and 45 of the 2,480 others, are rows {rows}."
    assert asked(source) == [f"Was 'resit' known beforehand? {sentence}"]
    assert "resit" in columns_with_telling_values(read_table(source))


def test_one_or_two_exceptions_are_allowed():
    (sentence,) = asked(pupils(n_without=2))
    assert "118 of 120 rows of 'failed', and 45 of the 2,480 others" in sentence


@pytest.mark.parametrize(("n_others", "n_without"), [(200, 0), (45, 60)])
def test_rows_of_many_others_or_a_part_of_the_outcome_are_not(n_others, n_without):
    source = pupils(n_others, n_without)
    assert asked(source) == []
    assert columns_with_telling_values(read_table(source)) == {}


def test_the_command_line_says_it(tmp_path, capsys):
    path = tmp_path / "t.csv"
    path.write_bytes(pupils()[1])
    assert main(["grow", str(path), "--smoother", "laplace"]) == 0
    told = capsys.readouterr().err
    assert "was column 'resit' known before the outcome? All 120 rows of 'failed'" in told
    assert "--role resit=ignore" in told


@pytest.mark.parametrize("share", [0.02, 0.05, 0.2])
def test_noise_and_honest_predictors_hold_none(share):
    random = np.random.default_rng(11)
    for _ in range(300):
        n_rows = int(random.integers(50, 3000))
        labels = (random.random(n_rows) < share).astype(np.int64)
        noise = random.integers(0, random.integers(2, 200), n_rows)
        assert held_outcome(noise, labels, 2) is None
        # A test that is right for nine of ten who are ill, and 97 of 100 who are not.
        honest = np.where(labels == 1, random.random(4000)[:n_rows] < 0.9, False)
        honest |= random.random(n_rows) < 0.03
        if labels.sum() >= 100:
            assert held_outcome(honest.astype(np.int64), labels, 2) is None
