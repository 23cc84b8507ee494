"""Ask a network anything: what is known of some columns, what that says about all others.

A column that nothing is said about is *unobserved*: it is summed over. *Not recorded* is something
else, a value that a cell can have. Answers are exact, by pyAgrum, or sampled by it where exact ones
would need too large tables, with how far they may be off; the members of an ensemble are
averaged as they are at prediction.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from probtrees.errors import DataError
from probtrees.explain.network_answer import (
    Findings,
    LadderStep,
    NetworkAnswer,
    fits_of,
    known_value,
    mutual_information,
)
from probtrees.model.member import Member
from probtrees.model.model import Model
from probtrees.model.networks.agrum import MOST_CLIQUE_CELLS, Inference
from probtrees.model.networks.dense_network import (
    MOST_CELLS,
    DenseNetwork,
    DenseTable,
    Variable,
    dense_network,
    n_cells,
    variable_of,
)
from probtrees.model.predict import member_log_joint
from probtrees.smooth.log_linear.softmax import normalise
from probtrees.table.dataset import MISSING, UNSEEN, Dataset
from probtrees.types import FloatArray, Progress

SMALLEST = 1e-300

N_RUNS = 8
"""How many times answers are sampled to see how far they are apart."""

T_95 = 2.365
"""Student's t for a 95 % interval of the mean of as many runs."""

SAMPLING_SECONDS = 4.0
"""Time for all samples together."""


@dataclass(frozen=True)
class _Worked:
    """What one network says: joint weights of evidence and class, and all columns given both."""

    joint: FloatArray
    given_class: tuple[list[FloatArray] | None, ...]


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
        self._engines: list[Inference] = []
        # pyAgrum's engines keep what they were asked last: one question at a time.
        self._lock = threading.Lock()

    @classmethod
    def of_model(cls, model: Model) -> NetworkQuery:
        """Make a model's networks ready; beyond ``MOST_CELLS`` only the class can be asked."""
        members = range(len(model.members))
        fits = sum(n_cells(model, member) for member in members) <= MOST_CELLS
        networks = [dense_network(model, member) for member in members] if fits else []
        return cls(networks, model.schema.target.name, model.averaging, model)

    def ask(self, findings: Findings, progress: Progress | None = None) -> NetworkAnswer:
        """Say what all columns are like, given what is known of some.

        Parameters
        ----------
        progress : called between samples, where exact answers would need too large tables
        """
        if not self.networks:
            return self._class_alone(
                findings,
                f"Written out, its tables would have more than {MOST_CELLS:,} cells.",
            )
        evidence = [self._evidence(network, findings) for network in self.networks]
        with self._lock:
            cells = max(
                engine.n_clique_cells(self._with_class(engine, known, 0))
                for engine, known in zip(self._ready(), evidence, strict=True)
            )
            if cells > MOST_CLIQUE_CELLS:
                reason = (
                    f"Exact inference would need {cells:,} cells, more than "
                    f"{MOST_CLIQUE_CELLS:,}; it needs fewer the more is known."
                )
                if self._can_sample:
                    return replace(self._sampled(evidence, progress), reason=reason)
                return self._class_alone(findings, reason)
            worked = [
                self._work(engine, known)
                for engine, known in zip(self._ready(), evidence, strict=True)
            ]
        return self._joined(worked, findings)

    @property
    def _can_sample(self) -> bool:
        """Whether samples of every network can be averaged: they do not weigh the networks."""
        averaged = self.averaging == "posterior" or len(self.networks) == 1
        return averaged and all(engine.can_sample for engine in self._ready())

    def _sampled(
        self, evidence: Sequence[Mapping[int, FloatArray]], progress: Progress | None
    ) -> NetworkAnswer:
        """Sample all networks several times over; how far the runs are apart tells the error."""
        engines = self._ready()
        seconds = max(SAMPLING_SECONDS / (N_RUNS * len(engines)), 0.05)
        runs = []
        for run in range(N_RUNS):
            if progress is not None:
                progress(run / N_RUNS, f"sampling, {run + 1} of {N_RUNS}")
            found = [
                engine.sampled(known, seed=run + 1, seconds=seconds)
                for engine, known in zip(engines, evidence, strict=True)
            ]
            runs.append(self._average_sampled(found))
        posteriors, errors = {}, {}
        for name in runs[0]:
            every = np.array([run[name] for run in runs])
            posteriors[name] = every.mean(axis=0)
            errors[name] = float(T_95 * every.std(axis=0, ddof=1).max() / math.sqrt(N_RUNS))
        if not any(evidence) and self._class_has_no_parents:
            posteriors[self.target], errors[self.target] = self.prior, 0.0
        return NetworkAnswer(
            posteriors[self.target],
            posteriors,
            is_exact=False,
            error=errors[self.target],
            largest_error=max(errors.values()),
        )

    def _average_sampled(self, found: Sequence[Sequence[FloatArray]]) -> dict[str, FloatArray]:
        """Average one run over the networks that have a column alike."""
        columns: dict[str, list[FloatArray]] = {}
        for network, posteriors in zip(self.networks, found, strict=True):
            for variable, posterior in zip(network.variables, posteriors, strict=True):
                if variable.values == self.variable(variable.name).values:
                    columns.setdefault(variable.name, []).append(posterior)
        return {name: np.mean(every, axis=0) for name, every in columns.items()}

    @cached_property
    def prior(self) -> FloatArray:
        """The probabilities of the class when nothing is known."""
        if not self._class_has_no_parents:
            return self.ask({}).target
        return np.asarray(np.mean([table.probs for table in self._class_tables], axis=0))

    @property
    def _class_tables(self) -> list[DenseTable]:
        return [network.tables[network.numbers[self.target]] for network in self.networks]

    @property
    def _class_has_no_parents(self) -> bool:
        """Whether the class's own table is all there is to it when nothing is known."""
        return bool(self.networks) and not any(table.parents for table in self._class_tables)

    def ladder(self, findings: Findings, outcome: str) -> tuple[LadderStep, ...]:
        """Add one finding after the other, in their order, and note the log odds of a class.

        The steps sum to what all findings together changed. Another order deals the same
        sum out differently.
        """
        code = self._target_variable.code(outcome)
        steps = []
        before = _log_odds(self.prior, code)
        for number, name in enumerate(findings, start=1):
            known = dict(list(findings.items())[:number])
            after = _log_odds(self.ask(known).target, code)
            steps.append(LadderStep(name, before, after))
            before = after
        return tuple(steps)

    def most_probable(self, findings: Findings, member: int = 0) -> dict[str, str]:
        """Find the values of all columns that are most probable together, in one network."""
        if not self.networks:
            raise DataError("The most probable row needs tables that can be written out.")
        network = self.networks[member]
        with self._lock:
            engine = self._ready()[member]
            evidence = self._evidence(network, findings)
            if engine.n_clique_cells(evidence) > MOST_CLIQUE_CELLS:
                raise DataError("The most probable row would need too large tables. Say more.")
            best = engine.most_probable(evidence)
        return {network.names[n]: network.variables[n].values[best[n]] for n in sorted(best)}

    def row_probability(self, row: Mapping[str, str], findings: Findings, member: int = 0) -> float:
        """Return how probable a whole row is in one network, given what is known.

        NaN where what is known is too improbable for a number.
        """
        network = self.networks[member]
        codes = [variable.code(row[variable.name]) for variable in network.variables]
        evidence = self._evidence(network, findings)
        with self._lock:
            known = self._ready()[member].probability(evidence)
        cells = [
            table.probs[(*(codes[parent] for parent in table.parents), code)]
            for table, code in zip(network.tables, codes, strict=True)
        ]
        cells += [fits[codes[number]] for number, fits in evidence.items()]
        if known <= 0:
            return math.nan
        with np.errstate(divide="ignore"):
            return float(np.exp(np.log(cells).sum() - math.log(known)))

    @cached_property
    def variables(self) -> dict[str, Variable]:
        """The columns that can be spoken of, each as the first network with it has it."""
        found: dict[str, Variable] = {}
        for network in self.networks:
            for variable in network.variables:
                found.setdefault(variable.name, variable)
        if not found and self.model is not None:
            member = self.model.members[0]
            schema = self.model.schema
            cut = schema if member.cuts is None else member.cuts.apply_to_schema(schema)
            for number, name in enumerate(schema.names):
                found[name] = variable_of(cut, number, member.cuts)
        return found

    @property
    def column_names(self) -> tuple[str, ...]:
        """The names of all columns of the table, or of the network where there is none."""
        return self.model.schema.names if self.model is not None else self.networks[0].names

    def variable(self, name: str) -> Variable:
        """Return a column as the first network with it has it."""
        return self.variables[name]

    def cuts_alike(self, name: str) -> bool:
        """Whether all networks with a column have the same values of it."""
        values = {
            network.variable(name).values for network in self.networks if name in network.numbers
        }
        return len(values) <= 1

    @property
    def _target_variable(self) -> Variable:
        if self.networks:
            return self.networks[0].variable(self.target)
        assert self.model is not None
        return Variable(self.target, self.model.schema.classes)

    def _ready(self) -> list[Inference]:
        """Build the engines when they are first needed."""
        if not self._engines:
            self._engines = [Inference(network) for network in self.networks]
        return self._engines

    def _evidence(self, network: DenseNetwork, findings: Findings) -> dict[int, FloatArray]:
        """Write findings as vectors, those about columns the network does not use left out."""
        known = {}
        for name, finding in findings.items():
            if name in network.numbers:
                known[network.numbers[name]] = fits_of(network.variable(name), finding)
            elif not any(name in other.numbers for other in self.networks):
                self._check_unused(network, name)
        return known

    def _check_unused(self, network: DenseNetwork, name: str) -> None:
        """Let a column be named that selection dropped, but no unknown one."""
        if self.model is None or name not in self.model.schema.names:
            network.variable(name)

    def _with_class(
        self, engine: Inference, known: Mapping[int, FloatArray], label: int
    ) -> dict[int, FloatArray]:
        number = engine.network.numbers[self.target]
        return {**known, number: known_value(len(engine.network.variables[number].values), label)}

    def _work(self, engine: Inference, known: Mapping[int, FloatArray]) -> _Worked:
        """Ask a network once for every class: given it, cliques are small."""
        number = engine.network.numbers[self.target]
        n_classes = len(engine.network.variables[number].values)
        fits = known.get(number, np.ones(n_classes))
        joint = np.zeros(n_classes)
        given: list[list[FloatArray] | None] = [None] * n_classes
        for label in np.flatnonzero(fits).tolist():
            evidence = self._with_class(engine, known, label)
            found = engine.posteriors(evidence)
            if found is not None:
                joint[label] = fits[label] * engine.probability(evidence)
                given[label] = found
        return _Worked(joint, tuple(given))

    def _joined(self, worked: Sequence[_Worked], findings: Findings) -> NetworkAnswer:
        """Average what the networks say."""
        totals = np.array([member.joint.sum() for member in worked])
        if not totals.all():
            reason = "What is known cannot occur together, as far as the tables go."
            alone = replace(self._class_alone(findings, reason), is_possible=False)
            # Tables that were given as probabilities, zeros among them, may leave no answer.
            return alone if np.isfinite(alone.target).all() else replace(alone, posteriors={})
        shares = np.full(len(worked), 1 / len(worked))
        if self.averaging == "joint":
            shares = totals / totals.sum()
        members = np.array([member.joint / member.joint.sum() for member in worked])
        columns = self._columns(worked, members, shares)
        target = np.asarray(shares @ members)
        posteriors = {name: joint.sum(axis=0) for name, joint in columns.items()}
        information = {
            name: mutual_information(joint)
            for name, joint in columns.items()
            if name not in findings and name != self.target
        }
        evidence = float(totals.mean())
        return NetworkAnswer(
            target, {**posteriors, self.target: target}, information, evidence, members
        )

    def _columns(
        self, worked: Sequence[_Worked], members: FloatArray, shares: FloatArray
    ) -> dict[str, FloatArray]:
        """Average the joint probabilities of class and column over networks that have it alike.

        Networks that cut a number in other places have other values: of those the ones like
        the first network with the column are taken.
        """
        columns: dict[str, tuple[Variable, float, FloatArray]] = {}
        for network, member, classes, share in zip(
            self.networks, worked, members, shares, strict=True
        ):
            for number, variable in enumerate(network.variables):
                joint = np.zeros((len(classes), len(variable.values)))
                for label, given in enumerate(member.given_class):
                    if given is not None:
                        joint[label] = classes[label] * given[number]
                first, weight, total = columns.get(variable.name, (variable, 0.0, 0 * joint))
                if first.values == variable.values:
                    columns[variable.name] = first, weight + share, total + share * joint
        return {name: total / weight for name, (_, weight, total) in columns.items()}

    def _class_alone(self, findings: Findings, reason: str) -> NetworkAnswer:
        """Answer the class by prediction: what is unknown has no factor and ends no context."""
        if self.model is None:
            target = np.full(len(self._target_variable.values), math.nan)
            return NetworkAnswer(target, {}, is_exact=False, reason=reason)
        model = self.model
        logs = np.array(
            [_member_alone(model, member, findings, self.target) for member in model.members]
        )
        members = normalise(logs)
        target = members.mean(axis=0)
        if self.averaging == "joint":
            target = normalise(np.logaddexp.reduce(logs, axis=0)[None, :])[0]
        return NetworkAnswer(
            target, {self.target: target}, members=members, is_exact=False, reason=reason
        )


def _log_odds(target: FloatArray, code: int) -> float:
    chance = float(np.clip(target[code], SMALLEST, 1 - 1e-16))
    return math.log(chance) - math.log1p(-chance)


def _member_alone(model: Model, member: Member, findings: Findings, target: str) -> FloatArray:
    """Return the log products of one network, all columns that are not known left open."""
    schema = model.schema if member.cuts is None else member.cuts.apply_to_schema(model.schema)
    cells = np.full((1, schema.n_columns), UNSEEN)
    cells[0, -1] = MISSING
    log_fits = np.zeros(len(schema.classes))
    for name, finding in findings.items():
        number = schema.names.index(name)
        fits = fits_of(variable_of(schema, number, member.cuts), finding)
        if name == target:
            with np.errstate(divide="ignore"):
                log_fits = np.log(fits)
        else:
            cells[0, number] = int(np.argmax(fits))
    alone = replace(member, cuts=None)
    return np.asarray(member_log_joint(alone, Dataset(schema, cells))[0] + log_fits)
