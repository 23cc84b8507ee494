"""What is known of a network, in the address: read as it was written, or refused."""

import json
import math
from dataclasses import replace

import pytest

from probtrees.explain.known_range import KnownRange
from probtrees.model.networks.dense_network import Variable
from probtrees.ui.network.findings import fits, read_findings, write_findings


def test_what_is_written_is_read():
    findings = {
        "sex": "female",
        "age": KnownRange(-math.inf, 30.5),
        "fare": KnownRange(1.0, 2.0),
        "cabin": None,
        "class": {"1st": 1.0, "2nd": 0.5},
        "year": 1912.0,
    }
    assert read_findings(write_findings(findings)) == findings


@pytest.mark.parametrize("ends", [[], [None, None], [2, 1], [1, 1], ["a", 1], [1, 2, 3], [True, 2]])
def test_what_is_no_range_is_refused(ends):
    with pytest.raises(ValueError, match="age"):
        read_findings(json.dumps({"age": ends}))


def test_values_are_used_only_where_every_network_has_them_and_ranges_wherever_one_is_cut():
    cut, elsewhere = (Variable("age", (f"up to {at}", f"above {at}"), (at,)) for at in (50.0, 60.0))
    whole = Variable("age", ("any value",), ())
    weighed = {"up to 50.0": 1.0, "above 50.0": 0.2}
    assert fits([cut, cut], weighed)
    assert not fits([cut, elsewhere], weighed)
    assert not fits([cut, elsewhere], "above 50.0")
    assert fits([whole, elsewhere], KnownRange(50.0, math.inf))
    assert not fits([whole], KnownRange(50.0, math.inf))
    assert not fits([cut, replace(cut, not_recorded=True)], None)
