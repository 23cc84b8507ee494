"""A word whose rows all have one rare outcome is asked about; noise and honest words are not."""

from __future__ import annotations

import numpy as np
import pytest
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.table.infer.outcomes.telling_values import (
    columns_with_telling_values,
    telling_value,
)

from probtrees.cli import main
from probtrees.table.read_table import load_sample, read_table, sample_names, sample_path
from probtrees.table.table_report import STRONG_COLUMN

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


def removals(n_each: int, wrong: int = 0, n_words: int = 5) -> tuple[str, bytes]:
    """Make a table of 2,000 animals, 1 in 40 ill; several words were written down afterwards."""
    random = np.random.default_rng(8)
    after = ("factory", "slaughtered", "carcass lost", "shipped out", "lesions sent")
    lines = ["age,action,result"]
    for n in range(2000):
        is_ill, number = n % 40 == 0, n // 40
        action = "" if random.random() < 0.5 else f"{WORDS[n % 4]} {'ab'[n % 3 > 0]}"
        if (is_ill and number < n_each * n_words) or 100 < n <= 100 + wrong:
            action = after[number % n_words]
        lines.append(f"{random.integers(10, 99)},{action},{'Reactor' if is_ill else 'Clear'}")
    return "t.csv", "\n".join(lines).encode()


def test_several_rare_words_that_say_the_outcome_are_one_question():
    (sentence,) = asked(removals(n_each=4))
    assert sentence.startswith("Was 'action' known beforehand? Of 20 rows with ")
    assert sentence.endswith(" or 2 more all are 'Reactor'.")
    assert list(columns_with_telling_values(read_table(removals(n_each=4)))) == ["action"]


@pytest.mark.parametrize(
    ("n_each", "wrong", "n_words"),
    [(1, 0, 5), (2, 0, 5), (4, 3, 5), (3, 0, 2)],
)
def test_few_rows_of_them_or_rows_of_others_are_not(n_each, wrong, n_words):
    assert asked(removals(n_each, wrong, n_words)) == []


@pytest.mark.parametrize(("rate", "most"), [(0.5, 0), (0.8, 0), (0.9, 4)])
def test_rare_words_of_a_honest_predictor_hardly_ever_do(rate, most):
    """That 45 rows of nine in ten all have the outcome happens in a table of a hundred."""
    random = np.random.default_rng(13)
    rates = np.append(np.full(30, 0.02), np.full(12, rate))
    often = np.append(np.full(30, 10.0), np.full(12, 0.5))
    n_asked = 0
    for _ in range(200):
        values = random.choice(42, 3000, p=often / often.sum())
        labels = (random.random(3000) < rates[values]).astype(np.int64)
        n_asked += telling_value(values, labels, 2) is not None
    assert n_asked <= most


def test_noise_of_many_classes_and_frequent_values_has_none():
    random = np.random.default_rng(14)
    for _ in range(600):
        n_rows, n_classes = int(random.integers(40, 2000)), int(random.integers(2, 8))
        values = (random.pareto(1.0, n_rows) * 3).astype(np.int64).clip(max=300)
        labels = random.choice(n_classes, n_rows, p=random.dirichlet(np.full(n_classes, 0.7)))
        assert telling_value(values, labels, n_classes) is None
