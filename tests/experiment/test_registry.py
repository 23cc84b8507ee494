import pytest

from probtrees.errors import OptionError
from probtrees.experiment.model_spec import make_spec, name_of
from probtrees.experiment.registry import LEARNERS, SMOOTHERS, make_learner, make_smoother


@pytest.mark.parametrize("name", [*LEARNERS, *SMOOTHERS])
def test_every_algorithm_can_be_made_and_found_again(name):
    if name in SMOOTHERS:
        assert name_of(make_smoother(name), SMOOTHERS) == name
        return
    learner = make_learner(name)
    assert name_of(learner, LEARNERS) == name
    assert sum(hasattr(learner, way) for way in ("learn", "grow", "grow_model")) == 1
    assert hasattr(learner, "learn") == LEARNERS[name].is_network


def test_a_preset_cannot_be_overruled():
    assert make_learner("auc-sp", {"criterion": "auc"}).criterion == "auc"
    with pytest.raises(OptionError, match="'auc-sp', which means criterion='auc'"):
        make_learner("auc-sp", {"criterion": "cll"})
    assert "criterion" not in [field.name for field in LEARNERS["auc-sp"].options]


def test_the_seed_reaches_whoever_has_one():
    assert make_spec("eskdb", seed=5).learner.seed == 5
    assert make_spec("eskdb", {"seed": 3}, seed=5).learner.seed == 3
