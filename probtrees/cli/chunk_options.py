"""The options for tables too large for memory: read in chunks, here or on a cluster."""

from __future__ import annotations

import argparse
import os

from probtrees.cli.console import Console
from probtrees.cli.data_options import note_reading, said_of_table
from probtrees.cli.model_options import learner_options, settings_for, spec_of, spec_with
from probtrees.cli.parser import add_field, declare
from probtrees.errors import OptionError
from probtrees.experiment.model_spec import ModelSpec
from probtrees.experiment.registry import learners_in_chunks
from probtrees.model.model import Model
from probtrees.options import build, option_fields
from probtrees.scale.learn.binned_c45 import BinnedC45
from probtrees.score.measures import Scores
from probtrees.smooth.smoothed_tree import Smoother
from probtrees.table.read_options import ReadOptions


def add_chunk_options(parser: argparse.ArgumentParser) -> None:
    """Let a command learn from files that do not fit into memory."""
    group = parser.add_argument_group(
        "tables too large for memory",
        "DATA may then be files, folders and patterns; Parquet or CSV",
    )
    declare(
        group,
        f"""
        --chunks  read the table several times, a chunk at a time
            (models {", ".join(learners_in_chunks())}; smoothers that hold no rows out)
        --memory SIZE  most memory to use (default: 2GB)
        --work DIR  keep finished passes there, so that an interrupted run goes on where
            it was (default with --out: beside it, removed when the model is saved)
        --cluster ADDRESS  let a Dask cluster read the chunks: tcp://HOST:PORT of its scheduler,
            or 'local' for one started here; implies --chunks
        --test DATA+  then score the model on these files, in chunks too
        """,
        memory="2GB",
    )
    (bins,) = (field for field in option_fields(BinnedC45) if field.name == "bins")
    add_field(group, bins, raw=True)


def in_chunks(args: argparse.Namespace) -> bool:
    """Whether the table is to be read in chunks; refuse options that need it to be."""
    if args.chunks or args.cluster is not None:
        return True
    given = {"--work": args.work, "--bins": args.bins, "--test": args.test}
    for option, value in given.items():
        if value is not None:
            raise OptionError(f"{option} must come with --chunks.")
    if len(args.data) > 1:
        raise OptionError(
            f"argument={args.data[1]!r} must not be given here: only with --chunks is a table "
            "learnt from several files."
        )
    return False


def chunked_spec_of(args: argparse.Namespace) -> ModelSpec:
    """Make the spec that the options ask for; C4.5 has bins in chunks."""
    if args.model != BinnedC45.name:
        if args.bins is not None:
            raise OptionError(f"--bins must come with --model c45, not with {args.model!r}.")
        return spec_of(args)
    options = {"seed": args.seed, **learner_options(args), **settings_for(args, "model")}
    if args.bins is not None:
        options["bins"] = args.bins
    return spec_with(args, build(BinnedC45, options), {})


def grow_in_chunks(
    args: argparse.Namespace, console: Console, smoother: tuple[str, Smoother]
) -> tuple[Model, Scores | None]:
    """Grow and smooth a model from files that are read in chunks; say how it scores if asked."""
    # Imported here: what it needs takes long to load and is not needed for small tables.
    from probtrees.scale.files.table_files import memory_bytes  # noqa: PLC0415
    from probtrees.scale.learn.evaluate_chunks import evaluate_table  # noqa: PLC0415
    from probtrees.scale.learn.fit_chunks import check_chunked, fit_table  # noqa: PLC0415
    from probtrees.scale.passes.conductor import conducting  # noqa: PLC0415
    from probtrees.scale.passes.open_chunks import open_chunks, open_with_schema  # noqa: PLC0415

    memory, spec = memory_bytes(args.memory), chunked_spec_of(args)
    check_chunked(spec, smoother[1])
    work = args.work or (f"{args.out}.passes" if args.out is not None else None)
    try:
        with conducting(work, args.cluster, console.stage, memory) as conductor:
            said = said_of_table(args)
            table = open_chunks(args.data, memory=memory, conductor=conductor, **said)
            note_reading(table, console)
            model = fit_table(table, spec, smoother, conductor, memory)
            if args.out is not None:
                with console.stage(f"saving {args.out}"):
                    model.save(args.out)
                if args.work is None:
                    conductor.finished.forget()
            if args.test is None:
                return model, None
            layout = ReadOptions(
                roles=table.roles, header_lines=args.header_lines, encoding=args.encoding
            )
            rows = open_with_schema(args.test, model.schema, memory, layout)
            return model, evaluate_table(model, rows, conductor)
    except KeyboardInterrupt:
        if work is not None and os.path.isdir(work):
            console.note(f"Finished passes are kept in {work!r}; the same command goes on there.")
        raise
