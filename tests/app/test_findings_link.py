"""What is known of a network, in the address: read as it was written, or refused."""

import json
import math

import pytest

from probtrees.explain.known_range import KnownRange
from probtrees.ui.network.findings_link import read_findings, write_findings


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
