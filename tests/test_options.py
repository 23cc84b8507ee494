"""Options are checked where they are declared, and say what is wrong in one sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import pytest

from probtrees.errors import OptionError
from probtrees.options import Options, build, option, option_fields


@dataclass(frozen=True)
class Algorithm(Options):
    name: ClassVar[str] = "algorithm"
    strength: float | Literal["auto"] = option(1.0, help="Rows lent.", minimum=0)
    rounds: int = option(3, help="How often.", minimum=1, maximum=9)
    mode: Literal["fast", "exact"] = option("exact", help="Which way.")
    verbose: bool = option(False, help="Talk.")
    depth: int | None = option(None, help="How deep.", above=0)


def test_fields_are_described_in_order() -> None:
    fields = option_fields(Algorithm)
    assert [field.name for field in fields] == ["strength", "rounds", "mode", "verbose", "depth"]
    assert fields[0].choices == ("auto",)
    assert fields[2].choices == ("fast", "exact")
    assert fields[4].optional
    assert fields[1].label == "Rounds"


def test_values_come_out_in_their_declared_type() -> None:
    algorithm = Algorithm(strength=2, rounds=np.int64(4), verbose=np.bool_(True))
    assert algorithm.to_dict() == {
        "strength": 2.0,
        "rounds": 4,
        "mode": "exact",
        "verbose": True,
        "depth": None,
    }
    assert type(algorithm.rounds) is int
    assert type(algorithm.strength) is float


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"strength": -1}, "strength=-1 must be at least 0. Rows lent."),
        ({"strength": float("nan")}, "strength=nan must be a finite number. Rows lent."),
        ({"strength": "much"}, "strength='much' must be a number or 'auto'. Rows lent."),
        ({"rounds": 2.5}, "rounds=2.5 must be a whole number. How often."),
        ({"rounds": True}, "rounds=True must be a whole number. How often."),
        ({"rounds": 10}, "rounds=10 must be at most 9. How often."),
        ({"mode": "fats"}, "mode='fats' must be one of its choices. Did you mean 'fast'?"),
        ({"mode": None}, "mode=None must be 'fast' or 'exact'. Which way."),
        ({"depth": 0}, "depth=0 must be above 0. How deep."),
        ({"rounds": b"3"}, "rounds=b'3' must be a whole number. How often."),
        ({"depth": 2**63}, f"depth={2**63} must lie between -9.0072e+15 and 9.0072e+15. How deep."),
        (
            {"strength": 1e300},
            "strength=1e+300 must lie between -9.0072e+15 and 9.0072e+15. Rows lent.",
        ),
    ],
)
def test_bad_values_are_named(values: dict[str, object], sentence: str) -> None:
    with pytest.raises(OptionError) as caught:
        Algorithm(**values)  # type: ignore[arg-type]
    assert str(caught.value) == sentence


def test_text_is_parsed() -> None:
    built = build(Algorithm, {"strength": "auto", "rounds": "4", "verbose": "yes", "depth": "none"})
    assert built == Algorithm(strength="auto", rounds=4, verbose=True)
    assert build(Algorithm, {"strength": "2.5"}).strength == 2.5


def test_unknown_options_are_named() -> None:
    with pytest.raises(OptionError, match="Did you mean 'rounds'"):
        build(Algorithm, {"round": 3})
