"""Dates with the years of an era are dates, in every way a table is read; codes are not."""

import numpy as np
import pandas as pd
import pytest

from probtrees.scale.passes.open_chunks import open_chunks
from probtrees.table.read_table import read_table, read_to_predict

N_ROWS = 60


def era(n):
    return (
        f"平成{n % 20 + 2}年{n % 12 + 1}月{n % 28 + 1}日" if n % 5 else f"令和{n % 4 + 1}年1月9日"
    )


def letter(n):
    return f"H{n % 20 + 2}.{n % 12 + 1}.{n % 28 + 1}" if n % 5 else f"R{n % 4 + 1}.1.9"


def common(n):
    if n % 5 == 0:
        return f"{n % 4 + 2019}-01-09"
    return f"{n % 20 + 1990}-{n % 12 + 1:02d}-{n % 28 + 1:02d}"


def table(cell):
    frame = pd.DataFrame({"受診日": [cell(n) for n in range(N_ROWS)]})
    frame["ill"] = ["yes" if n % 6 > 2 else "no" for n in range(N_ROWS)]
    return ("t.csv", frame.to_csv(index=False).encode())


@pytest.mark.parametrize("cell", [era, letter], ids=["words", "letters"])
def test_eras_are_dates(cell, tmp_path):
    whole, wanted = read_table(table(cell)), read_table(table(common))
    np.testing.assert_array_equal(whole.values, wanted.values)
    assert whole.schema.columns[0].date_part == "days"
    name, content = table(cell)
    (tmp_path / name).write_bytes(content)
    np.testing.assert_array_equal(next(open_chunks(tmp_path / name).chunks()).values, whole.values)


@pytest.mark.parametrize("trained", [era, letter, common])
@pytest.mark.parametrize("later", [era, letter, common, lambda n: "R2.4.1"])
def test_later_tables_may_be_written_in_another_way(trained, later):
    schema = read_table(table(trained)).schema
    found = read_to_predict(table(later), schema).values[:, 0]
    assert np.isfinite(found).all()
    if later in (era, letter, common):
        np.testing.assert_array_equal(found, read_table(table(common)).values[:, 0])


@pytest.mark.parametrize(
    "cell",
    [
        lambda n: f"R{n % 5 + 1}.{n % 4}.{n % 3}",
        lambda n: f"S{n % 9 + 1}.{n % 30}.{n % 28}",
        lambda n: f"H{n % 6 + 10}.{n % 2 + 1}.{n % 3 + 13}" if n % 9 else "H12b.7",
    ],
    ids=["versions", "sections", "others among them"],
)
def test_codes_stay_categories(cell):
    data = read_table(table(cell), roles={"受診日": "feature"})
    assert data.schema.columns[0].is_nominal
