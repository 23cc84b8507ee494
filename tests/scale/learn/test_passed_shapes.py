"""A shaped tree in chunks: the fit of all rows at once, whatever the chunks and their order."""

from dataclasses import replace

import numpy as np
import pytest

from probtrees.errors import OptionError, ProbTreesWarning
from probtrees.estimators.public_functions import fit_chunks
from probtrees.experiment.fit import fit
from probtrees.experiment.model_spec import make_spec, named_smoother
from probtrees.experiment.shape_logit import ShapeFit, ShapeSetting
from probtrees.grow.shaped_tree import ShapeWishes
from probtrees.model.predict import predict_proba
from probtrees.scale.learn import passed_shapes
from probtrees.scale.learn.binned_c45 import BinnedShapedTree
from probtrees.scale.learn.fit_chunks import check_chunked, fit_table
from probtrees.smooth.log_linear.logit import Logit
from probtrees.table.dataset import Provenance
from probtrees.table.read_table import read_table
from tests.scale.learn.test_binned_c45 import SILENT, Pieces, random_table
from tests.scale.table_parts import write_parts
from tests.small_tables import patients

pytestmark = pytest.mark.compiled


def fitted(data, ends=(), options=None):
    table, spec = Pieces(data, ends), make_spec("shaped-tree", options)
    object.__setattr__(table, "provenance", Provenance())
    return fit_table(table, spec, named_smoother("m-estimate"), SILENT)


@pytest.mark.parametrize("ends", [(), (3, 40, 41, 150)])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_any_chunks_in_any_order_give_the_fit_of_all_rows(ends, n_classes):
    data = replace(random_table(200, n_numbers=8, missing=0.05), repeats=None)
    if n_classes == 2:
        data = replace(patients(200), repeats=None)
    options = {"penalty": 3.0, "freedom": 10.0}
    whole = fit(data, "shaped-tree", options=options)
    found = fitted(data.take(np.random.default_rng(1).permutation(200)), ends, options)
    assert predict_proba(found, data) == pytest.approx(predict_proba(whole, data), abs=1e-8)
    one, other = whole.members[0], found.members[0]
    assert one.node_means == pytest.approx(other.node_means)
    assert [shape.column for shape in one.shapes] == [shape.column for shape in other.shapes]


@pytest.mark.parametrize("ratio", [(0.75, 0.01), (0.0, 0.1), (1.0, 1.0)])
def test_a_sample_decides_where_the_fit_begins_not_where_it_ends(monkeypatch, ratio):
    data = replace(random_table(3000, n_numbers=20, missing=0.02), repeats=None)
    monkeypatch.setattr(passed_shapes, "SAMPLE_CELLS", 1)
    monkeypatch.setattr(passed_shapes, "FEWEST_ROWS", 300)
    monkeypatch.setattr(passed_shapes, "ENOUGH_ROWS", 1500)
    setting = ShapeSetting(3.0, 30.0, *ratio)
    chosen = setting, {**setting._asdict(), "tried": np.empty((0, 3))}
    monkeypatch.setattr("probtrees.experiment.fit_shapes.choose_setting", lambda *_: chosen)
    with pytest.warns(ProbTreesWarning, match="no more than 1,000 leaves"):
        found = fitted(data, (1000, 1700))
    (member,) = found.members
    tree = member.smoothed.tree
    fit_of_all = ShapeFit.of(tree, member.routing, data, ShapeWishes())
    gates = fit_of_all.features._replace(routing=member.routing)  # those of the sample
    at_once = fitted_at_once(gates, data, setting, member)
    assert predict_proba(found, data) == pytest.approx(
        predict_proba(replace(found, members=(at_once,)), data), abs=1e-8
    )


def fitted_at_once(features, data, setting, member):
    """Fit the same features to all rows in memory."""
    logit = Logit.of(features.rows(data))
    fit = ShapeFit(features, logit, ShapeWishes(), np.arange(data.n_classes))
    return fit.member(member.smoothed, fit.mixed(setting), {})


def test_files_and_a_cluster_give_the_model_of_the_whole_table(tmp_path):
    folder, whole = write_parts(patients(200), tmp_path / "parts", ".parquet")
    data = read_table(whole, repeats="apart")
    expected = predict_proba(fit(data, "shaped-tree"), data)
    for cluster in (None, "local"):
        found = fit_chunks(folder, "shaped-tree", cluster=cluster)
        assert np.asarray(found.predict_proba(data)) == pytest.approx(expected, abs=1e-8)
    assert found.kind == "shaped"


def test_what_needs_all_rows_is_refused():
    spec = make_spec(BinnedShapedTree(increasing="x0"))
    with pytest.raises(OptionError, match="increasing and decreasing must be empty"):
        check_chunked(spec, named_smoother("laplace")[1])
