"""The sample data are what their README says."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest

from probtrees.errors import DataError
from probtrees.grow.c45 import C45
from probtrees.machine import bundled
from probtrees.table.read_table import load_sample, sample_names, sample_path

EXPECTED = {
    "gene": (1001, 2, {"no": 901, "yes": 100}),
    "heart": (303, 13, {"no": 164, "yes": 139}),
    "iris": (150, 4, {"setosa": 50, "versicolor": 50, "virginica": 50}),
    "penguins": (344, 6, {"Adelie": 152, "Chinstrap": 68, "Gentoo": 124}),
    "stroke": (15, 2, {"no": 12, "yes": 3}),
    "tic-tac-toe": (958, 9, {"no": 332, "yes": 626}),
    "titanic": (2201, 3, {"no": 1490, "yes": 711}),
}


def test_names() -> None:
    assert sample_names() == tuple(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_rows_columns_and_classes(name: str) -> None:
    data = load_sample(name)
    n_rows, n_features, classes = EXPECTED[name]
    assert data.name == name
    assert data.values.shape == (n_rows, n_features + 1)
    counts = np.bincount(data.labels, minlength=data.n_classes).tolist()
    assert dict(zip(data.schema.classes, counts, strict=True)) == classes
    expected = ("an earlier row, outcome included", "Read as missing: '?'")
    assert all(any(words in note for words in expected) for note in data.provenance.notes)


def test_other_spellings_and_unknown_names() -> None:
    assert load_sample("Heart disease").name == "heart"
    assert load_sample("tic_tac_toe").n_rows == 958
    with pytest.raises(DataError, match=r"sample='titanik' must be .* Did you mean 'titanic'\?"):
        load_sample("titanik")


def test_the_tree_of_the_gene_example() -> None:
    data = load_sample("gene")
    arrays = C45(min_leaf=1).grow(data).arrays
    gene, sex = data.schema.names.index("gene"), data.schema.names.index("sex")
    assert sorted(arrays.column.tolist()) == [-1, -1, -1, gene, sex]
    assert arrays.column[0] == gene
    assert [1.0, 0.0] in arrays.counts.tolist()


def test_generated_samples_are_generated_again_without_a_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = sample_path("gene").parent / "make_samples.py"
    made = runpy.run_path(str(script))
    made["main"].__globals__["FOLDER"] = tmp_path
    made["main"]()
    for path in sorted(tmp_path.glob("*.csv")):
        assert path.read_bytes() == sample_path(path.stem).read_bytes()


def test_an_installed_package_carries_its_samples(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sample_data").mkdir()
    (tmp_path / "sample_data" / "tiny.csv").write_text("x,y\n1,a\n2,b\n")
    monkeypatch.setattr(bundled, "_PLACES", (tmp_path, tmp_path / "nowhere"))
    assert sample_names() == ("tiny",)
    assert load_sample("tiny").n_rows == 2
    monkeypatch.setattr(bundled, "_PLACES", (tmp_path / "nowhere",))
    with pytest.raises(DataError, match="Install probtrees again"):
        sample_names()
