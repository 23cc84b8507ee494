"""Work that passes checkpoints can be watched, and ended between two steps."""

from unittest.mock import Mock

import pytest

from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.model_spec import make_spec
from probtrees.machine.checkpoint import checkpoint, watched
from tests.small_tables import patients

NETWORKS = ("nb", "tan", "kdb", "skdb", "aode", "eskdb", "kdf", "sp")


def test_the_innermost_watcher_is_called_and_the_outer_one_comes_back() -> None:
    outer: list[str] = []
    inner: list[str] = []
    with watched(outer.append):
        with watched(inner.append):
            checkpoint("in")
        checkpoint("out")
    checkpoint("after")
    assert (outer, inner) == (["out"], ["in"])


@pytest.mark.parametrize("model", NETWORKS)
def test_growing_a_network_tells_its_steps_and_can_be_ended_at_any(model: str) -> None:
    data, spec = patients(60), make_spec(model, {"size": 2} if model == "eskdb" else {})
    reported: list[str] = []
    whole = grow_model(data, spec, progress=lambda _, words: reported.append(words))
    assert any(words.startswith("cutting numbers") for words in reported)
    assert any(words.startswith("counting tables") for words in reported)
    assert whole.n_nodes == grow_model(data, spec).n_nodes
    for last in (1, len(reported) // 2, len(reported)):
        ending = Mock(side_effect=[None] * (last - 1) + [InterruptedError])
        with pytest.raises(InterruptedError):
            grow_model(data, spec, progress=ending)
