"""Judge a model by rows that are read in chunks."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from probtrees.model.model import Model
from probtrees.scale.files.table_files import Source
from probtrees.scale.learn.evaluation_sums import EvaluationSums
from probtrees.scale.passes.chunked_table import ChunkedTable
from probtrees.scale.passes.conductor import Conductor, conducting
from probtrees.scale.passes.open_chunks import DEFAULT_MEMORY, open_with_schema
from probtrees.scale.passes.row_forms import DatasetForm
from probtrees.score.metrics import Scores
from probtrees.table.table_report import Role


def evaluate_chunks(
    model: Model,
    source: Source,
    *,
    memory: int | str = DEFAULT_MEMORY,
    roles: Mapping[str, Role] | None = None,
    cluster: str | None = None,
) -> Scores:
    """Measure a model on files that do not fit into memory, in one pass.

    Parameters
    ----------
    model : a fitted or loaded model
    source : a file, a folder, a pattern, or a list of these, with the columns of the model; rows
        without a class are left out
    memory : how much may be held at a time, such as "2GB"
    roles : a column with the role weight says how much a row counts
    cluster : the address of a Dask scheduler, or "local"; None: this process does all
    """
    with conducting(None, cluster) as conductor:
        return evaluate_table(
            model, open_with_schema(source, model.schema, memory, roles or {}), conductor
        )


def evaluate_table(model: Model, table: ChunkedTable, conductor: Conductor) -> Scores:
    """Measure a model on an opened table."""
    with conductor.stage("scoring rows") as progress:
        make = partial(EvaluationSums, model)
        return conductor.runner.run(table, DatasetForm(), make, progress).scores()
