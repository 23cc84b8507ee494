import numpy as np
import pytest

from probtrees.experiment.fit import fit
from probtrees.explain.leaf import explain_leaf
from probtrees.explain.row import explain_row
from probtrees.model.predict import predict_proba
from probtrees.table.dataset import UNSEEN, Dataset
from tests.small_tables import patients


def softmax(points):
    weights = np.exp(points - points.max())
    return weights / weights.sum()


@pytest.mark.parametrize("smoother", ["mle", "m-estimate"])
@pytest.mark.parametrize("learner", ["nb", "tan", "kdb", "skdb", "aode", "kdf", "eskdb"])
def test_points_add_up_to_the_answer(learner, smoother):
    data = patients(60)
    model = fit(data, learner, smoother)
    rows = np.vstack([data.values[:6], [[np.nan, UNSEEN, np.nan, np.nan], [3, 1, np.nan, 0]]])
    new = Dataset(data.schema, rows)
    expected = predict_proba(model, new)
    for row in range(len(rows)):
        explained = explain_row(model, new, row)
        assert explained.posterior == pytest.approx(expected[row])
        assert sum(member.share for member in explained.members) == pytest.approx(1)
        for member in explained.members:
            p = member.posterior
            assert member.log_odds(0, 1).sum() == pytest.approx(np.log(p[0] / p[1]))
            points = sum(table.points for table in member.tables)
            assert softmax(points) == pytest.approx(member.posterior)


def test_a_context_is_named_and_can_be_taken_further_apart():
    data = patients(60)
    model = fit(data, "kdb", "m-estimate")
    member = model.members[0]
    schema = member.cuts.apply_to_schema(data.schema)
    explained = explain_row(model, data).members[0]
    assert explained.tables[0].name == "state"
    for table in explained.tables[1:]:
        smoothed = member.trees[table.tree]
        for label, (node, words) in enumerate(zip(table.nodes, table.contexts, strict=True)):
            if words:
                assert words[0] == f"state is {schema.classes[label]}"
            leaf = explain_leaf(smoothed, node, schema, table.value)
            assert leaf.probability == pytest.approx(table.probs[label])
            assert sum(part.points for part in leaf.contributions) == pytest.approx(
                leaf.probability
            )


def test_a_value_never_met_says_nothing():
    data = patients(60, missing=False)
    new = Dataset(data.schema, np.array([[np.nan, UNSEEN, 0, np.nan]]))
    explained = explain_row(fit(data, "nb", "m-estimate"), new).members[0]
    silent = [table for table in explained.tables if table.nodes is None]
    assert {table.name for table in silent} == {"age", "sex"}
    assert all(not table.points.any() for table in silent)
