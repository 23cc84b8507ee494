"""However training and a scored file write durations, they are the same time."""

import numpy as np
import pandas as pd
import pytest

from probtrees.table.read_table import read_table, read_to_predict

MINUTES = [(n * 37 + 11) % 173 + 4 for n in range(60)]
WAYS = {
    "53 min": lambda m: f"{m} min",
    "53 Minuten": lambda m: f"{m} Minuten",
    "0.88 h": lambda m: f"{m / 60:.6f} h",
    "0,88 Std.": lambda m: f"{m / 60:.6f} Std.".replace(".", ",", 1),
    "3180 s": lambda m: f"{m * 60} s",
    "0:53": lambda m: f"{m // 60}:{m % 60:02d}",
    "0:53:00": lambda m: f"{m // 60}:{m % 60:02d}:00",
    "0h53": lambda m: f"{m // 60}h{m % 60:02d}",
    "0 h 53": lambda m: f"{m // 60} h {m % 60:02d}",
    "0:53 Std.": lambda m: f"{m // 60}:{m % 60:02d} Std.",
    "0 h 53 min": lambda m: f"{m // 60} h {m % 60} min",
    "1 h 02 min or 53 min": lambda m: f"{m // 60} h {m % 60} min" if m >= 60 else f"{m} min",
    "PT0H53M": lambda m: f"PT{m // 60}H{m % 60}M",
    "0 days": lambda m: f"0 days {m // 60:02d}:{m % 60:02d}:00",
    "53:00 min": lambda m: f"{m}:00 min",
    "53m": lambda m: f"{m}m",
    "53'": lambda m: f"{m}'",
}
ODD = {"53m": {"0:53", "0:53:00", "53'"}}
"""Where training may have been in metres, only words tell times."""


def table(write, name="time"):
    frame = pd.DataFrame({name: map(write, MINUTES)})
    frame["ill"] = ["yes" if m % 5 > 2 else "no" for m in MINUTES]
    return ("t.csv", frame.to_csv(index=False, sep=";").encode())


@pytest.mark.parametrize("trained", [way for way in WAYS if way != "53'"])
def test_all_pairs(trained):
    data = read_table(table(WAYS[trained]))
    assert not data.schema.columns[0].is_nominal
    for way in WAYS.keys() - ODD.get(trained, set()):
        later = read_to_predict(table(WAYS[way]), data.schema).values
        np.testing.assert_allclose(later[:, 0], data.values[:, 0], rtol=1e-4, err_msg=way)


def test_the_name_alone_may_say_the_unit():
    data = read_table(table(str, "Dauer (min)"))
    for way in WAYS.keys() - {"53m"}:
        later = read_to_predict(table(WAYS[way], "Dauer (min)"), data.schema)
        np.testing.assert_allclose(later.values[:, 0], MINUTES, rtol=1e-4, err_msg=way)
        assert any("is read as" in note for note in later.provenance.notes), way
