"""Grow and smooth a model from a table too large for memory: the one place with that walk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from probtrees.errors import OptionError
from probtrees.experiment import registry
from probtrees.experiment.grow_network import cuts_every_member, draw_cuts
from probtrees.experiment.grown_model import make_model, smooth_members
from probtrees.experiment.inner_evidence import GrownMember
from probtrees.experiment.model_spec import ModelSpec
from probtrees.grow.c45 import C45
from probtrees.grow.eskdb import ESKDB, seed_of_cuts
from probtrees.grow.skdb import SKDB
from probtrees.model.model import Model
from probtrees.scale.files.table_files import DEFAULT_MEMORY
from probtrees.scale.learn import binned_c45
from probtrees.scale.learn.learn_networks import learn_networks
from probtrees.scale.learn.passed_shapes import fit_shaped_tree
from probtrees.scale.passes.chunked_table import ChunkedTable
from probtrees.scale.passes.conductor import Conductor
from probtrees.scale.passes.statistic import SAMPLE_ROWS, RowForm, RowSample
from probtrees.smooth.smoothed_tree import Smoother
from probtrees.table.cuts import Cuts


def check_chunked(spec: ModelSpec, smoother: Smoother) -> None:
    """Refuse what cannot be learnt from counts alone."""
    name, known = spec.learner_name, ", ".join(registry.learners_in_chunks())
    is_known = name in registry.LEARNERS and registry.LEARNERS[name].in_chunks
    needs_all = {
        "as_published=True must be false": spec.as_published,
        f"model={name!r} must be one of {known}": not (isinstance(spec.learner, C45) or is_known),
    }
    binned_c45.refuse_in_chunks(needs_all, "it needs all rows at once")
    if isinstance(spec.learner, C45):
        binned_c45.check_options(spec.learner)
    usual = ", ".join(registry.smoothers_of_counts())
    holds_out = {
        "routing='soft' must be 'hard'": spec.routing == "soft",
        f"calibrate={spec.calibrate!r} must be 'none'": spec.calibrate != "none",
        f"smoother={smoother.name!r} must be one of {usual}": smoother.needs_evidence
        and spec.takes_smoother,
    }
    binned_c45.refuse_in_chunks(
        holds_out, "it has to hold rows out, which needs all of them in memory"
    )


def fit_table(
    table: ChunkedTable,
    spec: ModelSpec,
    smoother: tuple[str, Smoother],
    conductor: Conductor,
    memory: int = DEFAULT_MEMORY,
) -> Model:
    """Grow a model from an opened table, and smooth it."""
    learner = _learner_in_chunks(spec.learner)
    spec = replace(spec, learner=learner)
    if isinstance(learner, binned_c45.BinnedShapedTree):
        rows = drawn_rows(table, conductor)
        learner, member, notes = fit_shaped_tree(table, learner, rows, spec.seed, conductor, memory)
        spec, nothing = replace(spec, learner=learner), (registry.NO_SMOOTHER, None)
        made = table.schema, table.provenance, spec, nothing, (member,)
        return make_model(*made, "posterior", notes)
    if isinstance(learner, binned_c45.BinnedC45):
        tree, removed = binned_c45.grow_with_report(table, learner, conductor, memory)
        grown: tuple[GrownMember, ...] = (GrownMember((tree,)),)
        about: tuple[Any, Mapping[str, Any]] = ("posterior", removed.notes)
    else:
        cuts = find_cuts(table, spec, conductor)
        structure, grown = learn_networks(table, learner, cuts, conductor, memory)
        about = (structure.averaging, structure.diagnostics)
    with conductor.stage("smoothing") as progress:
        members = smooth_members(grown, smoother[1], progress=progress)
    return make_model(table.schema, table.provenance, spec, smoother, members, *about)


def _learner_in_chunks(learner: Any) -> Any:
    """Return the form of a learner that needs no rows at once; edits need them."""
    if getattr(learner, "edits", ()):
        raise OptionError("edits must be left out in chunks. Read the table whole.")
    if isinstance(learner, C45):
        return binned_c45.binned(learner)
    if isinstance(learner, SKDB | ESKDB):  # rows pass by: parts of them cannot be held out
        return replace(learner, selection="leave-one-out")
    return learner


def drawn_rows(table: ChunkedTable, conductor: Conductor) -> RowSample:
    """Draw rows evenly from the table."""
    make = partial(RowSample.empty, table.schema, SAMPLE_ROWS)
    return conductor.run("sample", SAMPLE_ROWS, table, RowForm(), make)


def find_cuts(table: ChunkedTable, spec: ModelSpec, conductor: Conductor) -> tuple[Cuts, ...]:
    """Cut numeric columns by rows drawn evenly from the table; note where values are missing.

    The result is one for all networks, or one for each where they differ in their cuts.
    """
    if all(column.is_nominal for column in table.schema.features):
        return (Cuts({}, table.missing),)
    rows = drawn_rows(table, conductor).dataset()
    if isinstance(spec.learner, ESKDB) and cuts_every_member(spec.learner, spec.discretizer):
        seeds = map(seed_of_cuts, spec.learner.member_seeds())
        found = [draw_cuts(rows, seed) for seed in seeds]
    else:
        found = [spec.discretizer.find_cuts(rows)]
    return tuple(Cuts(cuts.points, table.missing) for cuts in found)
