"""Tables as people have them are read as they are meant, or left as written; never wrongly.

The cases are a part of the golden master of `benchmarks/check_tables.py`, which says what the
marks mean. They were read and looked through once; a new guard is a case more in the file.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.check_tables import judge

FILE = Path(__file__).parents[1] / "golden" / "tables.json"
CASES = {case["name"]: case for case in json.loads(FILE.read_text("utf-8"))}


@pytest.mark.parametrize("name", CASES)
def test_read_as_meant(name: str) -> None:
    case: dict[str, Any] = CASES[name]
    verdict, why = judge(case)
    assert verdict == "right" or (verdict != "wrong" and case["mark"] != "keep"), why
