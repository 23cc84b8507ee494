"""A word whose rows all have one rare outcome is asked about; noise and honest words are not."""

from __future__ import annotations

import numpy as np
import pytest

from probtrees.cli import main
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.table.infer.leaks import STRONG_COLUMN
from probtrees.table.infer.outcomes.telling_values import (
    columns_with_telling_values,
    telling_value,
)
from probtrees.table.read_table import read_table
from probtrees.table.samples import load_sample, sample_names, sample_path

WORDS = ("DNA taken", "retest 60d", "lump measured twice", "crush broken")


def cattle(n_removed: int = 25, wrong: int = 0) -> tuple[str, bytes]:
    """Make a table of 2,000 animals, 1 in 50 ill, some of which were removed afterwards."""
    random = np.random.default_rng(7)
    lines = ["age,action,result"]
    for n in range(2000):
        is_ill = n % 50 == 0
        action = "" if random.random() < 0.5 else WORDS[random.integers(4)]
        if (is_ill and n // 50 < n_removed) or 100 < n <= 100 + wrong:
            action = "removed to factory"
        lines.append(f"{random.integers(10, 99)},{action},{'Reactor' if is_ill else 'Clear'}")
    return "t.csv", "\n".join(lines).encode()


def asked(source) -> list[str]:
    report = inspect_table(source)
    return [found.sentence for found in report.findings if found.kind == STRONG_COLUMN]


def test_a_word_that_says_the_outcome_is_asked_about():
    sentence = "Of 25 rows with 'removed to factory' all are 'Reactor'."
    assert asked(cattle()) == [f"Was 'action' known beforehand? {sentence}"]
    assert columns_with_telling_values(read_table(cattle())) == {"action": sentence}


@pytest.mark.parametrize(("n_removed", "wrong"), [(8, 0), (25, 3), (0, 40)])
def test_few_rows_or_rows_of_others_are_not(n_removed, wrong):
    assert asked(cattle(n_removed, wrong)) == []


def test_the_command_line_says_it(tmp_path, capsys):
    path = tmp_path / "t.csv"
    path.write_bytes(cattle()[1])
    assert main(["grow", str(path), "--smoother", "laplace"]) == 0
    told = capsys.readouterr().err
    assert "was column 'action' known before the outcome? Of 25 rows" in told
    assert "--role action=ignore" in told


@pytest.mark.parametrize("name", sample_names())
def test_no_sample_has_one(name):
    assert columns_with_telling_values(load_sample(name)) == {}
    assert asked(sample_path(name)) == []


@pytest.mark.parametrize("share", [0.02, 0.05, 0.2, 0.5])
def test_noise_has_none(share):
    random = np.random.default_rng(11)
    for _ in range(300):
        n_rows = int(random.integers(50, 3000))
        values = random.integers(0, random.integers(3, 200), n_rows)
        labels = (random.random(n_rows) < share).astype(np.int64)
        assert telling_value(values, labels, 2) is None


def test_words_of_a_honest_predictor_have_none():
    random = np.random.default_rng(12)
    rates = np.array([0.001, 0.01, 0.05, 0.2, 0.6, 0.85])
    for _ in range(100):
        values = random.choice(6, 4000, p=[0.5, 0.3, 0.1, 0.05, 0.03, 0.02])
        labels = (random.random(4000) < rates[values]).astype(np.int64)
        assert telling_value(values, labels, 2) is None
