"""Networks handed to pyAgrum: its inference, and the files it can write and read.

It is imported when a network is first asked or converted, since that takes a while. Variables are
called by their numbers there: no name of a column can be misunderstood.
"""

from __future__ import annotations

import json
import sys
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from functools import cached_property
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from probtrees.errors import DataError
from probtrees.machine.guarded_process import ProcessFailed, answer_of
from probtrees.model.networks.dense_network import MOST_CELLS, DenseNetwork, DenseTable, Variable
from probtrees.types import FloatArray

MOST_CLIQUE_CELLS = 2**23
"""Cells of all cliques together that exact inference may fill.

Measured with pyAgrum 3.3, per class: 8 million cells take 0.4 s and 75 MB, 22 million 1.6 s and
115 MB.
"""

_READ = Path(__file__).with_name("foreign_network.py")


def agrum() -> Any:
    """Import pyAgrum; a warning of its import that were made an error would end the process."""
    if "pyagrum" not in sys.modules:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import pyagrum  # noqa: F401, PLC0415  slow, and seldom needed
    return sys.modules["pyagrum"]


def to_agrum(
    network: DenseNetwork,
    names: Sequence[str] | None = None,
    values: Sequence[Sequence[str]] | None = None,
) -> Any:
    """Make a network of pyAgrum.

    Parameters
    ----------
    names, values : what variables and their values are called; by default ``v0, v1, ...``
        and their numbers
    """
    gum = agrum()
    net = gum.BayesNet("network")
    names = names or [f"v{number}" for number in range(len(network.variables))]
    for number, (name, variable) in enumerate(zip(names, network.variables, strict=True)):
        labels = values[number] if values else [str(at) for at in range(len(variable.values))]
        net.add(gum.LabelizedVariable(name, "", list(labels)))
    for number, table in enumerate(network.tables):
        # Added last first, so that the axes of its array are those of ours.
        for parent in reversed(table.parents):
            net.addArc(names[parent], names[number])
        # The first variable of a table varies fastest there, as the last axis does here.
        net.cpt(names[number]).fillWith(table.probs.ravel().tolist())
    return net


class Inference:
    """Exact answers of one network, by propagation in a junction tree.

    Evidence is a vector per variable number: how well each value fits, a single 1 for a value
    that is known.
    """

    def __init__(self, network: DenseNetwork) -> None:
        self.network = network
        self._sizes = [len(variable.values) for variable in network.variables]
        # pyAgrum 3.3 answers wrongly about variables of one value, of which all is known.
        self._asked = [number for number, size in enumerate(self._sizes) if size > 1]
        if self._asked:
            self._net = to_agrum(
                _without_constants(network), [f"v{number}" for number in self._asked]
            )
        self._pairs: dict[int, Any] = {}
        self._pair_cells: dict[int, int] = {}

    @cached_property
    def _engine(self) -> Any:
        """Lazy propagation: slow to begin with, but large cliques stay as small as they can."""
        return self._new_engine("LazyPropagation")

    def _new_engine(self, method: str) -> Any:
        engine = getattr(agrum(), method)(self._net)
        engine.setNumberOfThreads(1)
        return engine

    def n_clique_cells(self, evidence: Mapping[int, FloatArray]) -> int:
        """Count the cells that cliques would have; values that are known make them smaller."""
        if not self._asked:
            return 0
        self._set(self._engine, evidence)
        return self._n_cells(self._engine)

    def n_pair_cells(self, number: int) -> int | None:
        """Count the cells that :meth:`pairs` fills at most; None: it cannot be used."""
        if number not in self._asked:
            return None
        if number not in self._pair_cells:
            self._pair_cells[number] = self._n_cells(self._paired(number))
        return self._pair_cells[number]

    def _n_cells(self, engine: Any) -> int:
        tree = engine.junctionTree()
        return sum(
            prod(self._sizes[self._asked[node]] for node in tree.clique(clique))
            for clique in tree.nodes()
        )

    def _paired(self, number: int) -> Any:
        """Make the engine that works out all pairs with one variable.

        That is Shafer and Shenoy's: on small cliques it takes a fifth of the time.
        """
        if number not in self._pairs:
            engine = self._new_engine("ShaferShenoyInference")
            for other in self._asked:
                if other != number:
                    engine.addJointTarget({f"v{number}", f"v{other}"})
            self._pairs[number] = engine
        return self._pairs[number]

    def pairs(
        self, number: int, evidence: Mapping[int, FloatArray]
    ) -> tuple[float, list[FloatArray]] | None:
        """Work out all pairs with one variable, of which nothing is known, in one go.

        Returns
        -------
        how probable the evidence is, and for every variable the joint probabilities
        float64[values of ``number``, values of the variable]; None if the evidence is impossible
        """
        engine, own = self._paired(number), f"v{number}"
        self._set(engine, evidence)
        try:
            engine.makeInference()
            alone = np.asarray(engine.posterior(own).toarray(), dtype=np.float64)
            found = [alone[:, None] for _ in self._sizes]
            found[number] = np.diag(alone)
            for other in self._asked:
                if other != number:
                    pair = engine.jointPosterior({own, f"v{other}"})
                    table = np.asarray(pair.toarray(), dtype=np.float64)
                    # Axes come in the opposite order of the names.
                    found[other] = table.T if pair.names[0] == own else table
            return self._quick_probability(evidence), found
        except agrum().IncompatibleEvidence:
            return None

    @cached_property
    def _quick(self) -> Any:
        return self._new_engine("ShaferShenoyInference")

    def _quick_probability(self, evidence: Mapping[int, FloatArray]) -> float:
        """Return how probable evidence is.

        An engine of pairs would not do: where columns are not joined to the class, that of
        pyAgrum 3.3 may say 1.
        """
        if not any(number in self._asked for number in evidence):
            return 1.0
        self._set(self._quick, evidence)
        return float(self._quick.evidenceProbability())

    def probability(self, evidence: Mapping[int, FloatArray]) -> float:
        """Return how probable the evidence is; 0 if it is impossible, or too small a number."""
        if not self._asked:
            return 1.0
        self._set(self._engine, evidence)
        try:
            return float(self._engine.evidenceProbability())
        except agrum().IncompatibleEvidence:
            return 0.0

    def posteriors(self, evidence: Mapping[int, FloatArray]) -> list[FloatArray] | None:
        """Return the probabilities of every variable; None if the evidence is impossible."""
        found = [np.ones(1) for _ in self._sizes]
        if not self._asked:
            return found
        self._set(self._engine, evidence)
        try:
            self._engine.makeInference()
            for number in self._asked:
                posterior = self._engine.posterior(f"v{number}")
                found[number] = np.asarray(posterior.toarray(), dtype=np.float64)
        except agrum().IncompatibleEvidence:
            return None
        return found

    def _set(self, engine: Any, evidence: Mapping[int, FloatArray]) -> None:
        engine.setEvidence(
            {
                f"v{number}": int(np.argmax(fits)) if np.count_nonzero(fits) == 1 else fits.tolist()
                for number, fits in evidence.items()
                if number in self._asked
            }
        )


def _without_constants(network: DenseNetwork) -> DenseNetwork:
    """Leave variables of one value out: their axes say nothing."""
    kept = [at for at, variable in enumerate(network.variables) if len(variable.values) > 1]
    place = {number: at for at, number in enumerate(kept)}
    tables = []
    for number in kept:
        table = network.tables[number]
        parents = tuple(place[parent] for parent in table.parents if parent in place)
        shape = [len(network.variables[kept[parent]].values) for parent in parents]
        tables.append(DenseTable(parents, table.probs.reshape(*shape, table.probs.shape[-1])))
    return DenseNetwork(tuple(network.variables[number] for number in kept), tuple(tables))


def write_by_agrum(
    network: DenseNetwork, suffix: str, names: Sequence[str], values: Sequence[Sequence[str]]
) -> bytes:
    """Write a file in a format that pyAgrum knows, its numbers to about 7 digits."""
    net = to_agrum(network, names, values)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / f"network{suffix}"
        agrum().saveBN(net, str(place))
        return place.read_bytes()


def read_by_agrum(content: bytes, suffix: str) -> DenseNetwork:
    """Read a file in a format that pyAgrum knows, in a process that a damaged file may end."""
    try:
        record = answer_of(_READ, [suffix, str(MOST_CELLS)], content, timeout=60.0)
    except ProcessFailed as failure:
        why = "It needs more memory or time than a network of its size. " if failure.burst else ""
        raise DataError(
            f"network must be a whole {suffix} file. {why}Save it again, or in another format."
        ) from None
    variables, tables = [], []
    for name, labels, parents, probs in json.loads(record):
        variables.append(Variable(name, tuple(labels)))
        tables.append(DenseTable(tuple(parents), np.array(probs, dtype=np.float64)))
    return DenseNetwork(tuple(variables), tuple(tables))
