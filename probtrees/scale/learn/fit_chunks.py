"""Grow and smooth a model from a table too large for memory: the one place with that walk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

from probtrees.errors import OptionError
from probtrees.experiment.grow_network import cuts_every_member, draw_cuts
from probtrees.experiment.inner_evidence import GrownMember
from probtrees.experiment.model_spec import ModelSpec, make_spec, named_smoother
from probtrees.experiment.registry import (
    DEFAULT_CHUNKED_SMOOTHER,
    LEARNERS,
    learners_in_chunks,
    smoothers_of_counts,
)
from probtrees.experiment.smooth_trees import make_model, smooth_members
from probtrees.grow.c45 import C45
from probtrees.grow.dag import Dag, Structure
from probtrees.grow.eskdb import ESKDB, seed_of_cuts
from probtrees.grow.naive_bayes import NaiveBayes
from probtrees.grow.skdb import SKDB, most_parents
from probtrees.model.model import Model
from probtrees.scale.files.table_files import Source
from probtrees.scale.learn.binned_c45 import BinnedC45, binned, check_options, grow_with_report
from probtrees.scale.learn.ensemble_counts import EnsemblePasses, LeftOutLosses
from probtrees.scale.learn.network_counts import PairCounts, TableCounts
from probtrees.scale.passes.chunked_table import ChunkedTable
from probtrees.scale.passes.conductor import Conductor, conducting
from probtrees.scale.passes.open_chunks import DEFAULT_MEMORY, memory_bytes, open_chunks
from probtrees.scale.passes.row_forms import DatasetForm, NetworkForm
from probtrees.scale.passes.row_sample import SAMPLE_ROWS, RowSample
from probtrees.smooth.smoothed_tree import Smoother
from probtrees.table.cuts import Cuts
from probtrees.table.dataset import Dataset
from probtrees.table.table_report import ColumnType, Role


def fit_chunks(
    source: Source,
    learner: Any = "skdb",
    smoother: Any = DEFAULT_CHUNKED_SMOOTHER,
    *,
    target: str | None = None,
    memory: int | str = DEFAULT_MEMORY,
    roles: Mapping[str, Role] | None = None,
    types: Mapping[str, ColumnType] | None = None,
    work: str | Path | None = None,
    cluster: str | None = None,
    **settings: Any,
) -> Model:
    """Grow a model from files that do not fit into memory, and smooth it.

    For a network the files are read several times, a chunk at a time: once to learn what the
    columns hold, once for the cuts of numeric columns if there are any, once for pairs of
    attributes, once for the tables, and for selective KDB once more to leave rows out. The model
    is the one that reading everything into memory would give, for the same cuts, however the
    rows are spread over files and chunks.

    Parameters
    ----------
    source : a file, a folder, a pattern, or a list of these; Parquet or delimited text
    learner : "nb", "tan", "kdb", "skdb", "eskdb" or "c45", or such a learner
        (``BinnedC45(bins=64)``), or a whole spec
    smoother : any smoother that needs no rows held out
    target, roles, types : as in ``read_table``
    memory : how much may be held at a time, such as "2GB"
    work : a folder to keep finished passes in, so that an interrupted run goes on from there
    cluster : the address of a Dask scheduler, or "local"; None: this process does all
    settings : as in :func:`~probtrees.experiment.fit.fit`
    """
    spec = learner if isinstance(learner, ModelSpec) else make_spec(learner, **settings)
    named = named_smoother(smoother, None, spec.seed)
    check_chunked(spec, named[1])
    with conducting(work, cluster, memory=memory_bytes(memory)) as conductor:
        table = open_chunks(
            source, target, memory=memory, roles=roles, types=types, scan=conductor.scan
        )
        return fit_table(table, spec, named, conductor, memory_bytes(memory))


def check_chunked(spec: ModelSpec, smoother: Smoother) -> None:
    """Refuse what cannot be learnt from counts alone."""
    if spec.as_published:
        raise OptionError("as_published=True must be false in chunks: it needs all rows at once.")
    if isinstance(spec.learner, C45):
        check_options(spec.learner)
    elif not (spec.learner_name in LEARNERS and LEARNERS[spec.learner_name].in_chunks):
        raise OptionError(
            f"model={spec.learner_name!r} must be one of {', '.join(learners_in_chunks())} to be "
            "grown in chunks: the others need all rows at once. Choose one of these, or leave out "
            "--chunks."
        )
    if spec.routing == "soft":
        raise OptionError(
            "routing='soft' must be 'hard' in chunks: how to route rows is chosen on rows held out."
        )
    if spec.calibrate != "none":
        raise OptionError(
            f"calibrate={spec.calibrate!r} must be 'none' in chunks: it is learnt from rows held "
            "out."
        )
    if smoother.needs_evidence:
        raise OptionError(
            f"smoother={smoother.name!r} must hold rows out, which needs all of them in memory. "
            f"In chunks choose one of {', '.join(smoothers_of_counts())}."
        )


def fit_table(
    table: ChunkedTable,
    spec: ModelSpec,
    smoother: tuple[str, Smoother],
    conductor: Conductor,
    memory: int = DEFAULT_MEMORY,
) -> Model:
    """Grow a model from an opened table, and smooth it."""
    spec = replace(spec, learner=_learner_in_chunks(spec.learner))
    grow = {BinnedC45: _grow_tree, ESKDB: _grow_ensemble}.get(type(spec.learner), _grow_network)
    grown = grow(table, spec, conductor, memory)
    with conductor.stage("smoothing") as progress:
        members = smooth_members(grown.members, smoother[1], progress=progress)
    return make_model(
        table.schema,
        table.provenance,
        spec,
        smoother,
        members,
        grown.averaging,
        grown.diagnostics,
    )


def _learner_in_chunks(learner: Any) -> Any:
    """Return the form of a learner that needs no rows at once."""
    if isinstance(learner, C45):
        return binned(learner)
    if isinstance(learner, SKDB | ESKDB):  # rows pass by: parts of them cannot be held out
        return replace(learner, selection="leave-one-out")
    return learner


class _Grown(NamedTuple):
    """Trees of counts without the rows."""

    members: tuple[GrownMember, ...]
    averaging: Literal["posterior", "joint"]
    diagnostics: Mapping[str, Any]


def _grow_tree(table: ChunkedTable, spec: ModelSpec, conductor: Conductor, memory: int) -> _Grown:
    tree, removed = grow_with_report(table, spec.learner, conductor, memory)
    return _Grown((GrownMember((tree,)),), "posterior", removed.notes)


def _grow_network(
    table: ChunkedTable, spec: ModelSpec, conductor: Conductor, memory: int
) -> _Grown:
    cuts = find_cuts(table, spec.discretizer, conductor)
    structure, counted = learn_structure(table, spec.learner, cuts, conductor, memory)
    (member,) = structure.members
    grown = GrownMember(counted.count_trees(member.dag), cuts)
    return _Grown((grown,), structure.averaging, structure.diagnostics)


def _grow_ensemble(
    table: ChunkedTable, spec: ModelSpec, conductor: Conductor, memory: int
) -> _Grown:
    learner, method = spec.learner, spec.discretizer
    cuts: tuple[Cuts, ...]
    if cuts_every_member(learner, method) and _has_numbers(table):
        rows = _sample(table, conductor)
        drawn = [draw_cuts(rows, seed_of_cuts(seeds)) for seeds in learner.member_seeds()]
        cuts = tuple(Cuts(each.points, table.missing) for each in drawn)
    else:
        cuts = (find_cuts(table, method, conductor),)
    structure, members = EnsemblePasses(table, learner, cuts, conductor, memory).learn()
    return _Grown(members, structure.averaging, structure.diagnostics)


def _has_numbers(table: ChunkedTable) -> bool:
    return any(not column.is_nominal for column in table.schema.features)


def _sample(table: ChunkedTable, conductor: Conductor) -> Dataset:
    make = partial(RowSample.empty, table.schema, SAMPLE_ROWS)
    return conductor.run("sample", SAMPLE_ROWS, table, DatasetForm(), make).dataset()


def find_cuts(table: ChunkedTable, discretizer: Any, conductor: Conductor) -> Cuts:
    """Cut numeric columns by rows drawn evenly from the table; note where values are missing."""
    if not _has_numbers(table):
        return Cuts({}, table.missing)
    return Cuts(discretizer.find_cuts(_sample(table, conductor)).points, table.missing)


def learn_structure(
    table: ChunkedTable, learner: Any, cuts: Cuts, conductor: Conductor, memory: int
) -> tuple[Structure, TableCounts]:
    """Find the parents of every column, and count tables that hold at least those."""
    schema = table.schema
    pairs = not isinstance(learner, NaiveBayes)
    made_from = repr(cuts.to_dict())
    form = NetworkForm(cuts)
    make_pairs = partial(PairCounts.empty, schema, cuts, pairs=pairs, memory=memory)
    counted_pairs = conductor.run("pairs", (made_from, pairs), table, form, make_pairs)
    information = counted_pairs.information()
    if isinstance(learner, SKDB):
        full = learner.full_dag(information)
        counted = _count(table, full, form, conductor, memory)
        k = most_parents(full, learner.k)
        make = partial(LeftOutLosses.empty, counted, learner.loss, k, table.heaviest)
        key = (made_from, full, learner.loss, k)
        losses = conductor.run("losses", key, table, form, make).losses
        return learner.structure(information, losses.surface()), counted
    structure: Structure = learner.structure(information)
    return structure, _count(table, structure.members[0].dag, form, conductor, memory)


def _count(
    table: ChunkedTable, dag: Dag, form: NetworkForm, conductor: Conductor, memory: int
) -> TableCounts:
    make = partial(TableCounts.empty, table.schema, form.cuts, dag, memory)
    return conductor.run("tables", (repr(form.cuts.to_dict()), dag), table, form, make)
