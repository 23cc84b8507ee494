"""Judging in chunks: the measures of all rows at once."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probtrees.estimators.public_functions import fit_chunks
from probtrees.experiment.fit import fit
from probtrees.model.predict import predict_proba
from probtrees.scale.files import table_files
from probtrees.scale.learn.evaluate_chunks import EvaluationSums, evaluate_chunks
from probtrees.score.measures import evaluate
from probtrees.table.read_table import read_table
from tests.scale.table_parts import write_parts
from tests.small_tables import patients


def test_sums_over_chunks_give_the_measures_of_all_rows(tmp_path, monkeypatch):
    folder, whole = write_parts(patients(300, missing=False), tmp_path / "parts", ".parquet")
    monkeypatch.setattr(table_files, "_MOST_ROWS", 40)
    model = fit_chunks(folder, "nb")
    data = read_table(whole)
    expected = evaluate(predict_proba(model, data), data.labels).to_dict()
    found = evaluate_chunks(model, folder).to_dict()
    auc = found.pop("auc"), expected.pop("auc")
    assert found == pytest.approx(expected, rel=1e-12)
    assert auc[0] == pytest.approx(auc[1], abs=0.01)


@given(order=st.permutations(range(5)))
@settings(max_examples=10)
def test_evaluation_sums_merge_in_any_order(order):
    data = patients(100, missing=False)
    model = fit(data, "nb", "laplace")
    whole = EvaluationSums(model)
    whole.update(data)
    pieces = [EvaluationSums(model) for _ in range(5)]
    for number, piece in enumerate(pieces):
        piece.update(data.take(np.arange(number, 100, 5)))
    merged = EvaluationSums(model)
    for number in order:
        merged.merge(pieces[number])
    assert merged.scores() == whole.scores()
    weighted = replace(data, weights=np.full(100, 5000.0))
    heavy = EvaluationSums(model)
    heavy.update(weighted)
    assert heavy.scores().brier == pytest.approx(whole.scores().brier)
