"""The parts of the harness by name."""

from __future__ import annotations

import random
from dataclasses import dataclass

from tests.trust.bad_files import BadFile, bad_file
from tests.trust.fault_cases import fault_case, fault_journey
from tests.trust.hostile_models import hostile_model
from tests.trust.journey import model_journey, table_journey
from tests.trust.option_cases import (
    algorithm_case,
    algorithm_cases,
    algorithm_journey,
    command_case,
    command_cases,
    command_journey,
)
from tests.trust.page_journey import page_journey
from tests.trust.room_cases import room_case, room_journey
from tests.trust.watched import MakeCase, RunCase


@dataclass(frozen=True)
class Part:
    """What makes a case, what it goes through, its share of the time, and when it is done."""

    make: MakeCase
    run: RunCase
    weight: float = 1.0
    most_cases: int | None = None


def _any_table(chance: random.Random, number: int) -> BadFile:
    return bad_file(chance)


def _any_model(chance: random.Random, number: int) -> BadFile:
    return hostile_model(chance)


PARTS: dict[str, Part] = {
    "tables": Part(_any_table, table_journey, weight=6),
    "models": Part(_any_model, model_journey, weight=2),
    "options": Part(algorithm_case, algorithm_journey, 2, len(algorithm_cases())),
    "commands": Part(command_case, command_journey, 2, len(command_cases())),
    "pages": Part(_any_table, page_journey, weight=2),
    "faults": Part(fault_case, fault_journey, weight=2),
    "rooms": Part(room_case, room_journey, weight=0.5),
}
