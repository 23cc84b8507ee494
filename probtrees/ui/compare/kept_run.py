"""One comparison of the session, and how it is written down to outlive a reload."""

from __future__ import annotations

import base64
from collections.abc import Hashable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from probtrees.experiment.registry import LEARNERS, SMOOTHERS
from probtrees.report.comparison_report import BASE_RATE
from probtrees.score.measures import MEASURES, Scores
from probtrees.table.samples import sample_names
from probtrees.ui.compare.comparison_plan import ComparisonPlan
from probtrees.ui.shared.kept_session import reading_from, reading_to
from probtrees.ui.shared.session.given_files import Upload
from probtrees.ui.shared.table_source import ChosenTable


@dataclass
class KeptRun:
    """One comparison of the session.

    Attributes
    ----------
    name : what the user calls it
    began : when it was started, by the clock of the server
    source : the table, if it is a sample; None for an upload, which is not held on to
    table, key : the table's name, and what its results are found again by
    plan : what was compared
    tried : the settings in it, distinguished by what they are
    link : the parts of its address
    scores : by method, the figures; those of the base rate last
    seconds : how long it took
    is_whole : whether all of it was measured
    follows : the time or group columns that its folds follow, in a few words
    digest : the fingerprint of an uploaded table; empty for a sample
    """

    name: str
    began: str
    source: ChosenTable | None
    table: str
    key: tuple[Any, ...]
    plan: ComparisonPlan
    tried: frozenset[Hashable]
    link: dict[str, str] = field(default_factory=dict)
    scores: dict[str, Scores] = field(default_factory=dict)
    seconds: float = 0.0
    is_whole: bool = False
    follows: str = ""
    digest: str = ""

    @property
    def held_out(self) -> str:
        """How rows were held out, in a few words."""
        repeats = f" x {self.plan.n_repeats}" if self.plan.n_repeats > 1 else ""
        follows = f" {self.follows}" if self.follows else ""
        return f"{self.plan.held_out}{repeats}{follows}, seed {self.plan.seed}"

    def best(self, measure: str) -> tuple[str, float] | None:
        """Return the method with the best figure, and that; None where none has one."""
        known = [
            (value, name)
            for name, scores in self.scores.items()
            if name != BASE_RATE and (value := scores[measure]) is not None
        ]
        if not known:
            return None
        value, name = (max if MEASURES[measure].larger_is_better else min)(known)
        return name, value

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values, ready for JSON."""
        plan = asdict(replace(self.plan, given=None))
        given = self.plan.given
        if given is not None:
            content = base64.b64encode(given.content).decode("ascii")
            plan["given"] = {"name": given.name, "content": content}
        source = self.source
        return {
            "name": self.name,
            "began": self.began,
            "sample": None
            if source is None
            else {"name": source.sample, "reading": reading_to(source.reading)},
            "table": self.table,
            "key": self.key,
            "plan": plan,
            "tried": sorted(self.tried, key=str),
            "link": self.link,
            "scores": self.scores,
            "seconds": self.seconds,
            "is_whole": self.is_whole,
            "follows": self.follows,
            "digest": self.digest,
        }

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> KeptRun | None:
        """Read what :meth:`to_dict` gave; None for what this release does not know any more."""
        try:
            plan = _plan(record["plan"])
            sample = record["sample"]
            if not set(plan.models) <= set(LEARNERS) or not set(plan.smoothers) <= set(SMOOTHERS):
                return None
            if sample is not None and sample["name"] not in sample_names():
                return None
            return cls(
                name=str(record["name"]),
                began=str(record["began"]),
                source=None
                if sample is None
                else ChosenTable(None, sample["name"], reading_from(sample["reading"])),
                table=str(record["table"]),
                key=_tuples(record["key"]),
                plan=plan,
                tried=frozenset(_tuples(record["tried"])),
                link={str(name): str(text) for name, text in record["link"].items()},
                scores={
                    str(name): Scores({m: scores.get(m) for m in MEASURES if m in scores})
                    for name, scores in record["scores"].items()
                },
                seconds=float(record["seconds"]),
                is_whole=bool(record["is_whole"]),
                follows=str(record["follows"]),
                digest=str(record["digest"]),
            )
        except (KeyError, TypeError, ValueError, AttributeError):
            return None


def _plan(record: Mapping[str, Any]) -> ComparisonPlan:
    given = record["given"]
    if given is not None:
        given = Upload(str(given["name"]), base64.b64decode(given["content"]))
    values = {name: _tuples(value) for name, value in record.items() if name != "given"}
    return ComparisonPlan(**values, given=given)


def _tuples(value: Any) -> Any:
    """Turn the lists of JSON into the tuples they were."""
    return tuple(map(_tuples, value)) if isinstance(value, list | tuple) else value
