from unittest.mock import Mock

import numpy as np
import pytest

from probtrees.errors import OptionError
from probtrees.experiment.fit import fit
from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.registry import LEARNERS, SMOOTHERS
from probtrees.grow.c45 import C45
from probtrees.model.predict import predict_proba
from probtrees.smooth.m_estimate import Laplace
from tests.small_tables import QUICK, patients

PAIRS = {(learner, "m-estimate") for learner in LEARNERS}
PAIRS |= {(learner, smoother) for learner in ("c45", "kdb") for smoother in SMOOTHERS}


@pytest.mark.parametrize(("learner", "smoother"), sorted(PAIRS))
def test_every_learner_and_every_smoother(learner, smoother):
    data = patients(50)
    model = grow_model(data, learner).smooth(smoother, QUICK.get(smoother))
    assert model.kind == LEARNERS[learner].kind
    proba = predict_proba(model, data)
    assert proba.shape == (50, 3)
    assert np.allclose(proba.sum(axis=1), 1)
    assert (proba >= 0).all()


def test_names_and_ready_made_algorithms_are_the_same():
    data = patients()
    by_name = fit(data, "c45", "laplace", options={"min_leaf": 5})
    ready = fit(data, C45(min_leaf=5), Laplace())
    assert np.array_equal(by_name.tree.probs, ready.tree.probs)
    assert (ready.learner, ready.smoother) == ("c45", "laplace")


def test_the_model_says_how_it_was_made():
    model = fit(patients(), "c45", "m-estimate", seed=3)
    assert model.options["learner"]["min_leaf"] == 2
    assert model.options["smoother"]["strength"] == 1.0
    assert model.provenance.source == "made up"
    assert model.provenance.seed == 3
    assert model.provenance.version
    assert model.provenance.options["routing"] == "hard"


@pytest.mark.parametrize("smoother", ["laplace", "blend"])
def test_soft_routing_gives_distributions_of_its_own(smoother):
    data = patients(200)
    hard = predict_proba(fit(data, "c45", smoother), data)
    soft_model = fit(data, "c45", smoother, routing="soft")
    soft = predict_proba(soft_model, data)
    assert np.allclose(soft.sum(axis=1), 1)
    assert soft_model.members[0].routing is not None
    assert soft_model.options["routing"] == "soft"
    assert not np.allclose(soft, hard)


@pytest.mark.parametrize(
    ("learner", "smoother", "options"),
    [
        ("c45", "m-estimate", {"strength": "auto"}),
        ("c45", "hdp", {"n_iterations": 20}),
        ("nb", "hdp", {"n_iterations": 20}),
    ],
)
def test_smoothing_tells_progress_and_can_be_cancelled(learner, smoother, options):
    reported = []
    grown = grow_model(patients(), learner)
    grown.smooth(smoother, options, progress=lambda share, what: reported.append(share))
    assert reported
    assert all(0 <= share <= 1 for share in reported)
    cancel = Mock(side_effect=InterruptedError)
    with pytest.raises(InterruptedError):
        grow_model(patients(), learner).smooth(smoother, options, progress=cancel)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"routing": "wet"}, "routing='wet'"),
        ({"curtail": -1}, "curtail=-1 must be at least 0"),
        ({"learner": "nb", "routing": "soft"}, "routing='soft' must go with a decision tree"),
        ({"as_published": True, "routing": "soft"}, "not with the published habits"),
        ({"learner": "nb", "as_published": True}, "choose 'c45'"),
    ],
)
def test_wrong_settings_are_named(settings, words):
    with pytest.raises(OptionError, match=words):
        fit(patients(), **{"learner": "c45", "smoother": "laplace", **settings})
