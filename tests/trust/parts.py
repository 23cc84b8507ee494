"""The parts of the harness by name."""

from __future__ import annotations

from dataclasses import dataclass

from tests.trust.bad_files import bad_file
from tests.trust.hostile_models import hostile_model
from tests.trust.journey import model_journey, table_journey
from tests.trust.watched import MakeCase, RunCase


@dataclass(frozen=True)
class Part:
    """What makes a case, what it goes through, its share of the time, and when it is done."""

    make: MakeCase
    run: RunCase
    weight: float = 1.0
    most_cases: int | None = None


PARTS: dict[str, Part] = {
    "tables": Part(bad_file, table_journey, weight=6),
    "models": Part(hostile_model, model_journey, weight=2),
}
