"""Ask a network anything: what is known of some columns, what that says about all others.

A column that nothing is said about is *unobserved*: it is summed over. *Not recorded* is something
else, a value that a cell can have. Answers are exact, by pyAgrum, or sampled where exact ones
would need too large tables, with how far they may be off; the members of an ensemble are
averaged as they are at prediction.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Literal

import numpy as np

from probtrees.errors import DataError, did_you_mean
from probtrees.explain.network_answer import (
    Findings,
    LadderStep,
    NetworkAnswer,
    Worked,
    average_networks,
    fits_of,
    known_value,
    log_odds,
)
from probtrees.explain.network_sampling import Sampler, draw_runs, error_of, pooled
from probtrees.model.model import Model
from probtrees.model.networks.agrum import MOST_CLIQUE_CELLS, Inference
from probtrees.model.networks.dense_network import (
    MOST_CELLS,
    DenseNetwork,
    Variable,
    dense_network,
    n_cells,
)
from probtrees.table.column_profile import ColumnProfile
from probtrees.types import FloatArray, Progress, tell

SMALL_CELLS = 2**20
"""Cells that are filled in a moment, however many classes and networks there are."""

PAIR_CELLS = 2**16
"""Cells up to which all classes are worked out in one go; beyond it one class after the other."""

N_RUNS = 8
"""How many times answers are sampled to see how far they are apart."""

N_SAMPLES = 64_000
"""Rows that are drawn in all runs, for all networks and classes together."""

WANTED_ERROR = 0.01
"""Where the class may be farther off than this, eight times as many rows are drawn."""

LEAST_SAMPLES = 100
"""Rows that are drawn in one run for one class of one network at least."""


class NetworkQuery:
    """A network, or the networks of an ensemble, ready to be asked.

    >>> from probtrees.model.networks.dense_network import DenseTable
    >>> ill, test = Variable("ill", ("no", "yes")), Variable("test", ("-", "+"))
    >>> tables = (DenseTable((), np.array([0.9, 0.1])),
    ...           DenseTable((0,), np.array([[0.8, 0.2], [0.1, 0.9]])))
    >>> query = NetworkQuery([DenseNetwork((ill, test), tables, "ill")], "ill")
    >>> query.ask({"test": "+"}).target.round(4).tolist()
    [0.6667, 0.3333]
    """

    def __init__(
        self,
        networks: Sequence[DenseNetwork],
        target: str,
        averaging: Literal["posterior", "joint"] = "posterior",
        model: Model | None = None,
    ) -> None:
        self.networks = tuple(networks)
        self.target = target
        self.averaging = averaging
        self.model = model
        # pyAgrum's engines keep what they were asked last: one question at a time.
        self._lock = threading.Lock()

    @classmethod
    def of_model(cls, model: Model, progress: Progress | None = None) -> NetworkQuery:
        """Make a model's networks ready; beyond ``MOST_CELLS`` answers are sampled."""
        members = range(len(model.members))
        fits = sum(n_cells(model, member) for member in members) <= MOST_CELLS
        networks = []
        for member in members if fits else ():
            tell(progress, member / len(members), f"network {member + 1} of {len(members)}")
            networks.append(dense_network(model, member))
        return cls(networks, model.schema.target.name, model.averaging, model)

    def ask(self, findings: Findings, progress: Progress | None = None) -> NetworkAnswer:
        """Say what all columns are like, given what is known of some.

        Parameters
        ----------
        progress : called between networks, or between samples where exact answers would need too
            large tables
        """
        if not self.networks:
            reason = f"Written out, its tables would have more than {MOST_CELLS:,} cells."
            return self._sampled(findings, reason, progress)
        evidence = [self._evidence(network.variables, findings) for network in self.networks]
        worked: list[Worked] = []
        with self._lock:
            asked = list(zip(self._engines, evidence, strict=True))
            sizes = [self._n_cells(engine, known) for engine, known in asked]
            cells, is_too_much = max(sizes), self._is_too_much(sizes)
            for number, (engine, known) in enumerate(() if is_too_much else asked):
                tell(progress, number / len(asked), f"network {number + 1} of {len(asked)}")
                worked.append(self._work(engine, known))
        if is_too_much:
            reason = (
                f"Exact inference would need {cells:,} cells for each of "
                f"{len(self.networks) * len(self._target_variable.values)} classes and networks, "
                "too many; it needs fewer the more is known."
            )
            return self._sampled(findings, reason, progress)
        answer = replace(self._joined(worked, findings), n_cells=cells)
        return answer if answer.is_possible else replace(answer, conflict=self.conflict(findings))

    def _n_cells(self, engine: Inference, known: Mapping[int, FloatArray]) -> int:
        """Count the cells that a network needs for one class."""
        cells = self._n_pair_cells(engine)
        if cells is not None:
            return cells // len(self._target_variable.values)
        return engine.n_clique_cells(self._with_class(engine, known, 0))

    def _n_pair_cells(self, engine: Inference) -> int | None:
        """Count the cells that all classes need together; None: too many, or there is none."""
        cells = engine.n_pair_cells(engine.network.numbers[self.target])
        return None if cells is None or cells > PAIR_CELLS else cells

    def _is_too_much(self, sizes: Sequence[int]) -> bool:
        """Whether exact answers would need too much memory, or large cliques too often."""
        n_filled = sum(sizes) * len(self._target_variable.values)
        return max(sizes) > MOST_CLIQUE_CELLS or (
            max(sizes) > SMALL_CELLS and n_filled > 4 * MOST_CLIQUE_CELLS
        )

    def _sampled(self, findings: Findings, reason: str, progress: Progress | None) -> NetworkAnswer:
        """Sample all networks several times over; how far the runs are apart tells the error."""
        evidence = [self._evidence(sampler.variables, findings) for sampler in self._samplers]
        n_drawn = N_RUNS * len(evidence) * len(self._target_variable.values)
        for n_samples in (N_SAMPLES, 8 * N_SAMPLES):
            size = (N_RUNS, max(n_samples // n_drawn, LEAST_SAMPLES))
            runs = draw_runs(self._samplers, self.target, evidence, size, progress)
            if not all(member.pairs for run in runs for member in run):
                return self._no_answer(f"{reason} Too few samples fit what is known.")
            answer = self._joined([pooled(every) for every in zip(*runs, strict=True)], findings)
            every_run = [self._joined(run, findings) for run in runs]
            errors = {
                name: error_of([run.posteriors[name] for run in every_run])
                for name in answer.posteriors
            }
            if errors[self.target] <= WANTED_ERROR:
                break
        return replace(
            answer,
            is_exact=False,
            reason=reason,
            error=errors[self.target],
            largest_error=max(errors.values()),
        )

    @cached_property
    def prior(self) -> FloatArray:
        """The probabilities of the class when nothing is known."""
        tables = [network.tables[network.numbers[self.target]] for network in self.networks]
        if not tables or any(table.parents for table in tables):
            return self.ask({}).target
        # The class's own table is all there is to it.
        return np.asarray(np.mean([table.probs for table in tables], axis=0))

    def conflict(self, findings: Findings) -> tuple[str, ...]:
        """Name findings that cannot occur together; all of them, where tables are too large.

        Findings are left out one by one as long as the rest stays impossible, so that any one of
        those that remain may be taken back.
        """
        left = dict(findings)
        for name in findings:
            rest = {other: finding for other, finding in left.items() if other != name}
            if not self._can_occur(rest):
                left = rest
        return tuple(left)

    def _can_occur(self, findings: Findings) -> bool:
        """Whether some class is possible together with what is known."""
        with self._lock:
            for engine in self._engines:
                known = self._evidence(engine.network.variables, findings)
                if engine.n_clique_cells(known) > MOST_CLIQUE_CELLS:
                    return True
                if engine.probability(known) <= 0:
                    return False
        return True

    def ladder(self, findings: Findings, outcome: str) -> tuple[LadderStep, ...]:
        """Add one finding after the other, in their order, and note the log odds of a class.

        The steps sum to what all findings together changed. Another order deals the same
        sum out differently.
        """
        code = self._target_variable.code(outcome)
        steps = []
        before = log_odds(self.prior, code)
        for number, name in enumerate(findings, start=1):
            known = dict(list(findings.items())[:number])
            after = log_odds(self.ask(known).target, code)
            steps.append(LadderStep(name, before, after))
            before = after
        return tuple(steps)

    def telling(self, name: str, findings: Findings) -> set[str]:
        """Name the columns that may tell more about one, given what is known.

        All others are d-separated from it in every network: whatever they are, its chances stay.
        """
        found: set[str] = set()
        for sampler in self._samplers:
            places, variables = sampler.places, sampler.variables
            names = {place: each.name for place, each in zip(places, variables, strict=True)}
            evidence = self._evidence(variables, findings).items()
            known = {places[at] for at, fits in evidence if np.count_nonzero(fits) == 1}
            hinted = {places[at] for at, _ in evidence} - known
            for asked in (place for place in names if names[place] == name):
                found |= {names[at] for at in sampler.dag.connected(asked, known, hinted)}
        return found

    @cached_property
    def variables(self) -> dict[str, Variable]:
        """The columns that can be asked about, each as the first network with it has it."""
        found: dict[str, Variable] = {}
        for variables in self._variables_of_each:
            for variable in variables:
                found.setdefault(variable.name, variable)
        return found

    @property
    def _variables_of_each(self) -> list[tuple[Variable, ...]]:
        """The columns of every network."""
        return [sampler.variables for sampler in self._samplers]

    @cached_property
    def _samplers(self) -> list[Sampler]:
        """The networks as rows are drawn from them, whether they can be written out or not."""
        if self.networks or self.model is None:
            return [Sampler.of_network(network) for network in self.networks]
        return [Sampler.of_member(member, self.model.schema) for member in self.model.members]

    @property
    def column_names(self) -> tuple[str, ...]:
        """The names of all columns of the table, or of the network where there is none."""
        return self.model.schema.names if self.model is not None else self.networks[0].names

    def variables_named(self, name: str) -> list[Variable]:
        """Return a column as each network with it has it: they may cut numbers elsewhere."""
        return [
            variable
            for variables in self._variables_of_each
            for variable in variables
            if variable.name == name
        ]

    def cuts_alike(self, name: str) -> bool:
        """Whether all networks with a column have the same values of it."""
        return len({variable.values for variable in self.variables_named(name)}) <= 1

    @cached_property
    def _profiles(self) -> dict[str, ColumnProfile]:
        """How the columns were spread in training, as far as the model knows."""
        known = () if self.model is None else self.model.profile or ()
        return {profile.name: profile for profile in known}

    @property
    def _target_variable(self) -> Variable:
        return self.variables[self.target]

    @cached_property
    def _engines(self) -> list[Inference]:
        """The engines of all networks, built when one is first needed."""
        return [Inference(network) for network in self.networks]

    def _evidence(self, variables: Sequence[Variable], findings: Findings) -> dict[int, FloatArray]:
        """Write findings as vectors, those about columns a network does not use left out."""
        numbers = {variable.name: number for number, variable in enumerate(variables)}
        known = {}
        for name, finding in findings.items():
            if name in numbers:
                variable = variables[numbers[name]]
                known[numbers[name]] = fits_of(variable, finding, self._profiles.get(name))
            elif name not in self.variables and name not in self.column_names:
                advice = did_you_mean(name, self.column_names)
                raise DataError(f"column={name!r} must be in the network. {advice}")
        return known

    def _with_class(
        self, engine: Inference, known: Mapping[int, FloatArray], label: int
    ) -> dict[int, FloatArray]:
        number = engine.network.numbers[self.target]
        return {**known, number: known_value(len(engine.network.variables[number].values), label)}

    def _work(self, engine: Inference, known: Mapping[int, FloatArray]) -> Worked:
        """Ask a network; a large one once for every class: given it, cliques are small."""
        number = engine.network.numbers[self.target]
        n_classes = len(engine.network.variables[number].values)
        fits = known.get(number, np.ones(n_classes))
        if self._n_pair_cells(engine) is not None:
            rest = {other: vector for other, vector in known.items() if other != number}
            found = engine.pairs(number, rest)
            evidence, pairs = found or (0.0, [])
            fitting = [fits[:, None] * pair for pair in pairs]
            total = float(fitting[number].sum()) if evidence > 0 else 0.0
            return Worked(evidence * total, [pair / total for pair in fitting if total > 0])
        joint, given = np.zeros(n_classes), {}
        for label in np.flatnonzero(fits).tolist():
            with_class = self._with_class(engine, known, label)
            posteriors = engine.posteriors(with_class)
            if posteriors is not None:
                joint[label] = fits[label] * engine.probability(with_class)
                given[label] = posteriors
        return Worked.of_classes(joint, given)

    def _joined(self, worked: Sequence[Worked], findings: Findings) -> NetworkAnswer:
        """Average what the networks say; nothing where what is known cannot occur."""
        if not all(member.pairs for member in worked):
            reason = "What is known cannot occur together, as far as the tables go."
            return replace(self._no_answer(reason), is_possible=False)
        return average_networks(
            worked, self._variables_of_each, self.target, self.averaging, findings
        )

    def _no_answer(self, reason: str) -> NetworkAnswer:
        target = np.full(len(self._target_variable.values), math.nan)
        return NetworkAnswer(target, {}, is_exact=False, reason=reason)
