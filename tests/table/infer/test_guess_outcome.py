"""The class that one probably asks about."""

import pytest

from probtrees.table.infer.guess_outcome import guess_outcome


@pytest.mark.parametrize(
    ("classes", "asked"),
    [
        ({"no": 10, "yes": 90}, "yes"),
        ({"0": 10, "1": 90}, "1"),
        ({"Y": 10, "N": 90}, "Y"),
        ({"nein": 300, "ja": 20}, "ja"),
        ({"benign": 357, "malignant": 212}, "malignant"),
        ({"stayed": 20, "churned": 80}, "churned"),
        ({"not churned": 20, "other": 80}, "not churned"),
        ({"a": 30, "b": 10}, "b"),
        ({"No": 90, "Yes": 161, "May": 14}, "Yes"),
        ({"none": 500, "mild": 120, "severe": 40, "mlid": 2}, "mild"),
        ({"Bus": 3, "Car": 200, "Train": 150}, "Car"),
        ({"setosa": 50, "versicolor": 50, "virginica": 50}, "virginica"),
        ({"gesund": 60, "krank": 30, "unbekannt": 80}, "krank"),
    ],
)
def test_the_outcome_is_the_one_that_is_asked_about(classes, asked):
    assert list(classes)[guess_outcome(list(classes.items()))] == asked
