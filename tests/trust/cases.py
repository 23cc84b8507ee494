"""The parts of the harness by name, and how a case of one is run and judged."""

import contextlib
import random
import resource
import tempfile
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.trust.bad_files import BadFile, bad_file
from tests.trust.fault_cases import fault_journey
from tests.trust.hostile_models import hostile_model
from tests.trust.journey import Step, model_journey, table_journey
from tests.trust.option_cases import (
    algorithm_cases,
    algorithm_journey,
    command_cases,
    command_journey,
)
from tests.trust.page_journey import page_journey
from tests.trust.room_cases import room_journey
from tests.trust.stranger_cases import (
    kernel_case,
    kernel_journey,
    mask_journey,
    network_case,
    network_journey,
    origin_case,
    origin_journey,
)

MOST_MEMORY = 2048
"""MiB a case may take."""


def numbered(chance: random.Random, number: int) -> BadFile:
    """Name a case whose journey knows what the number means, or draws everything on its way."""
    return BadFile("case", str(number), b"")


@dataclass(frozen=True)
class Part:
    """What the case of a number goes through, what makes it, its share of the time, its end."""

    run: Callable[[BadFile, random.Random, Path, Step], str]
    make: Callable[[random.Random, int], BadFile] = numbered
    weight: float = 1.0
    most_cases: int | None = None


PARTS: dict[str, Part] = {
    "tables": Part(table_journey, lambda chance, _: bad_file(chance), weight=6),
    "models": Part(model_journey, lambda chance, _: hostile_model(chance), weight=2),
    "options": Part(algorithm_journey, weight=2, most_cases=len(algorithm_cases())),
    "commands": Part(command_journey, weight=2, most_cases=len(command_cases())),
    "pages": Part(page_journey, lambda chance, _: bad_file(chance), weight=2),
    "faults": Part(fault_journey, weight=2),
    "rooms": Part(room_journey, weight=0.5),
    "origins": Part(origin_journey, origin_case, weight=0.2),
    "masks": Part(mask_journey, weight=0.5),
    "networks": Part(network_journey, network_case),
    "kernels": Part(kernel_journey, kernel_case, weight=0.2),
}


@dataclass(frozen=True)
class Verdict:
    """How a case ended: "result" or "sentence" if all is well, else "traceback" or "memory".

    ``peak`` is the memory at the highest, in MiB above what the process held before.
    """

    number: int
    ended: str
    file: BadFile
    detail: str
    peak: float

    @property
    def is_good(self) -> bool:
        """Whether the case ended as it should."""
        return self.ended in ("result", "sentence")


def run_case(part: Part, number: int, seed: int, step: Step = lambda words: None) -> Verdict:
    """Make one case and take it through its journey."""
    chance = random.Random(f"{seed}/{number}")
    file = part.make(chance, number)
    with contextlib.suppress(OSError):  # what other cases left behind is not this one's
        Path("/proc/self/clear_refs").write_text("5")
    before, detail = _peak_memory(), ""
    try:
        with tempfile.TemporaryDirectory(prefix="trust-") as folder:
            ended = part.run(file, chance, Path(folder), step)
    except Exception:
        ended, detail = "traceback", traceback.format_exc()
    peak = _peak_memory() - before
    if peak > MOST_MEMORY:
        ended, detail = "memory", f"{peak:.0f} MiB\n{detail}"
    return Verdict(number, ended, file, detail, peak)


def _peak_memory() -> float:
    """Return the highest memory of this process in MiB since the measure was begun."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM"):
                return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
