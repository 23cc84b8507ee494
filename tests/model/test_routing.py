"""A soft routing survives a file, and a damaged one is refused."""

import numpy as np
import pytest

from probtrees.errors import DataError
from probtrees.model.routing import SoftRouting

ROUTING = SoftRouting(
    0.2,
    16.0,
    np.array([1.5, np.nan, np.nan]),
    np.array([0.3, 0.0, 0.0]),
    {"blur": np.array([0.0, 0.2]), "loss": np.array([3.0, np.inf])},
)


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        ({"blur": -1.0}, "blur"),
        ({"stray": "inf"}, "stray"),
        ({"spread": [0.1, -0.1, 0.0]}, "spreads"),
        ({"middle": [0.0]}, "one for every node"),
    ],
)
def test_damage_is_refused(damage: dict[str, object], sentence: str) -> None:
    with pytest.raises(DataError, match=sentence):
        SoftRouting.from_dict({**ROUTING.to_dict(), **damage}, n_nodes=3)
