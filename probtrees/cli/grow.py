"""Grow a model from a table, smooth it, and show, draw or save it."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from probtrees.cli import data_options, model_options, model_text
from probtrees.cli.console import Console
from probtrees.cli.parser import add_field, align, declare, print_json, refuse_together
from probtrees.cli.predict import cost_table
from probtrees.draw.charts.quality_strip import unseen_verdict
from probtrees.draw.node_card import default_outcome
from probtrees.errors import OptionError
from probtrees.estimators.fitted_model import FittedModel
from probtrees.estimators.result_displays import ColumnsAtAGlance
from probtrees.experiment.corrections import KINDER, CorrectionEffect, edit_sentences
from probtrees.experiment.evaluation.column_importance import ColumnImportance, column_importance
from probtrees.experiment.evaluation.growing_costs import merged_into_one
from probtrees.experiment.fit import finish_model
from probtrees.experiment.grown_model import GrownModel, grow_model
from probtrees.experiment.inner_models import edits_followed, unseen_scores
from probtrees.experiment.model_spec import ModelSpec
from probtrees.experiment.registry import (
    DEFAULT_CHUNKED_SMOOTHER,
    LEARNERS,
    SMOOTHERS,
    learners_in_chunks,
)
from probtrees.explain.shape_curves import group_risks
from probtrees.machine.atomic_file import check_place
from probtrees.model.model import Model
from probtrees.model.networks.network_file import NETWORK_SUFFIXES
from probtrees.options import build, option_fields
from probtrees.report.masking import Mask
from probtrees.report.model_report import ReportRequest, model_report
from probtrees.scale.files.table_files import memory_bytes
from probtrees.scale.learn.binned_c45 import BinnedC45, BinnedShapedTree
from probtrees.scale.learn.evaluate_chunks import evaluate_table
from probtrees.scale.learn.fit_chunks import check_chunked, fit_table
from probtrees.scale.passes.conductor import conducting
from probtrees.scale.passes.open_chunks import open_chunks, open_with_schema
from probtrees.score.decision import decide
from probtrees.score.measures import Scores, score_record, shown
from probtrees.smooth.smoothed_tree import SmoothedTree, Smoother
from probtrees.table.read_options import ReadOptions
from probtrees.table.table_report import suspicious_features
from probtrees.types import tell
from probtrees.words import plural

EXAMPLES = """\
examples:
  probtrees grow titanic.csv --target survived
  probtrees grow titanic.csv --smoother laplace --min-leaf 5 --out titanic.json
  probtrees grow titanic.csv --format svg > titanic.svg
  probtrees grow patients.csv --target ill --report patients.html --mask 5
  probtrees grow german.arff --missing fraction --prune pessimistic --format json
  probtrees grow titanic.csv --edits edits.json --out titanic.json
  probtrees grow heart.csv --structure expert.bif --smoother hdp --out heart.json
  probtrees grow heart.csv --importance
  probtrees grow "sales/*.parquet" --model skdb --chunks --memory 2GB --out sales.json
"""


_IMPORTANCE = "What is lost on unseen rows (Brier score) when a column's values are shuffled:"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    data_options.add_data_options(parser, several=True)
    model_options.add_model_options(parser)
    _add_chunk_options(parser)
    data_options.add_repeats(parser.add_argument_group("copies of rows"), cuts=False)
    declare(
        parser,
        f"""
        --structure NET  keep the arrows of this network ({", ".join(NETWORK_SUFFIXES)}) and
            learn its tables, in place of --model
        --importance  how much each column matters on unseen rows:
            what is lost when its values are shuffled
        --out MODEL.json  save the model (.json or .json.gz)
        --format text|json|dot|svg  how to print the model (default: text; with --out: one line)
        --json  the same as --format json
        --levels N  print only N levels of a tree (text, dot, svg)
        --report REPORT.html  write a report in one file that works offline
        --mask N  hide counts below N in the report: smaller groups are merged beforehand
        --costs MISS:ALARM  in the report, what comes of acting by these costs, as in 5:1
        """,
        mask=0,
    )


def run(args: argparse.Namespace, console: Console) -> None:
    """Read, grow, smooth, save, print."""
    _check_options(args)
    word = data_options.repeats_word(args)
    check_place(args.out, "out")
    check_place(args.report, "report")
    grown, scores = None, None
    if _in_chunks(args, word):
        smoother = model_options.smoother_of(args, DEFAULT_CHUNKED_SMOOTHER)
        model, scores = _grow_in_chunks(args, console, smoother)
    else:
        model, grown = _grow(args, console)
    warnings = dict.fromkeys(warning for tree in model.trees for warning in tree.warnings)
    for sentence in (*warnings, *edit_sentences(model.diagnostics)):
        console.note(sentence)
    columns = _columns(model, grown, args, console)
    if args.report is not None:
        _report(model, grown, columns, args, console)
    records, texts = _findings(scores, len(model.schema.classes), columns, args)
    if grown is not None:
        records["leaks"] = _leaks(model, grown, console)
    if args.json or args.format == "json":
        print_json({**model_text.model_record(model), **records})
        return
    place = args.out or args.report
    if args.format is None and place is not None:
        print(f"{place}: {model_text.model_summary(model)}")
    else:
        _print(model, args, console)
    for text in texts:
        print(text, file=sys.stdout if args.format in (None, "text") else sys.stderr)


def _check_options(args: argparse.Namespace) -> None:
    """Refuse before anything is grown what could not be printed afterwards."""
    if args.format not in (None, "json"):
        refuse_together(args, ["--json"], f"--format {args.format}", "Give one.")
    if args.costs is not None:
        decide([0.5], [1], costs=cost_table(args.costs)[0])  # refuses what makes no sense
    entry = LEARNERS.get(args.model)
    if entry is not None and not entry.takes_smoother and args.format in ("dot", "svg"):
        raise OptionError(
            f"model={args.model!r} must be printed as text or JSON. A picture of its trees alone "
            "would not show what it answers; --report and 'probtrees explain' do."
        )


def _grow(args: argparse.Namespace, console: Console) -> tuple[Model, GrownModel]:
    """Grow a model from a table in memory, and save it if asked to."""
    spec, smoother = model_options.spec_of(args), model_options.smoother_of(args)
    (args.data,) = args.data
    data = data_options.read_data(args, console)
    if args.structure is not None:
        data, spec = model_options.given_structure(args, data)
    with console.stage("growing") as progress:
        grown = grow_model(data, spec, progress)
    with console.stage("smoothing") as progress:
        record = args.report is not None and not spec.is_network
        model = finish_model(grown, smoother, progress=progress, track_record=record)
    if args.edits is not None and grown.has_evidence:
        _tell_effect(grown, model, smoother, console)
    if args.out is not None:
        with console.stage(f"saving {args.out}"):
            model.save(args.out)
    return model, grown


def _tell_effect(
    grown: GrownModel, model: Model, smoother: tuple[str, Smoother], console: Console
) -> None:
    """Say what the corrections do on unseen rows, beside the same tree without them."""
    with console.stage("without the edits") as progress:
        plain = replace(grown.spec, learner=replace(grown.spec.learner, edits=()))
        without = grow_model(grown.data, plain, progress)
        before = unseen_scores(without, without.smooth(smoother, progress=progress), progress)
        after = unseen_scores(grown, model, progress)
    if before is not None and after is not None:
        effect = CorrectionEffect.of(before, after, edits_followed(grown).get("edits", ()))
        console.note(f"On unseen rows, all edits together: {effect.words}. {KINDER}")


def _columns(
    model: Model, grown: GrownModel | None, args: argparse.Namespace, console: Console
) -> Sequence[ColumnImportance]:
    """Measure how much each column matters where it is asked for; a tree's report shows it too."""
    reported = args.report is not None and args.mask == 0 and model.kind == "tree"
    if grown is None or not (args.importance or reported):
        return ()
    with console.stage("shuffling columns of unseen rows") as progress:
        return column_importance(grown, model, progress)


def _report(
    model: Model,
    grown: GrownModel | None,
    columns: Sequence[ColumnImportance],
    args: argparse.Namespace,
    console: Console,
) -> None:
    """Write the report, with what every other smoother says about the same tree.

    Of a model grown in chunks there are no rows to hold out, so nothing is compared.
    """
    others: dict[str, SmoothedTree] = {}
    if grown is not None and model.kind == "tree":
        with console.stage("smoothing by every method") as progress:
            for number, (name, entry) in enumerate(SMOOTHERS.items()):
                tell(progress, number / len(SMOOTHERS), entry.label)
                others[entry.label] = grown.smooth(name).trees[0]
    mask, levels = Mask(args.mask), args.levels
    request = ReportRequest(mask=mask, levels=levels, n_variants=1, columns=columns)
    if model.kind == "shaped" and grown is not None:
        request = replace(request, groups=group_risks(model, grown.data))
    if args.costs is not None and grown is not None:
        scores, rarest = unseen_scores(grown, model), default_outcome(model.trees[0].tree)
        found = None if scores is None else scores.decide(rarest, costs=cost_table(args.costs)[0])
        request = replace(request, decision=found)
    console.write(args.report, model_report(model, others, request))


def _findings(
    scores: Scores | None,
    n_classes: int,
    columns: Sequence[ColumnImportance],
    args: argparse.Namespace,
) -> tuple[dict[str, Any], list[str]]:
    """Say what else was asked for, scores of test files and how much columns matter.

    For programs, and for people.
    """
    records: dict[str, Any] = {}
    texts = []
    if scores is not None:
        records["test"] = score_record(scores, n_classes)
        said = [shown(measure, value, n_classes) for measure, value in scores.items()]
        texts.append("\n".join(align([list(scores), said])))
    if args.importance:
        records["importance"] = model_text.importance_record(columns)
        texts.append(f"\n{_IMPORTANCE}\n{ColumnsAtAGlance(columns)!r}")
    return records, texts


def _leaks(model: Model, grown: GrownModel, console: Console) -> list[dict[str, Any]]:
    """List columns that may have been written down after the outcome; ask about one last.

    A tree whose smoother has asked inner trees about unseen rows anyway is judged by them: whether
    it is almost perfect, or no better than the base rate.
    """
    leaks = suspicious_features(grown.data)
    if grown.has_evidence and model.kind == "tree":
        with console.stage("asking about unseen rows") as progress:
            scores = unseen_scores(grown, model, progress)
        said = []
        if scores is not None and scores.better_than_base_rate()[0] <= 0:
            said.append(unseen_verdict(scores)[0])
        if merged := merged_into_one(grown.diagnostics):
            said.append(
                f"C4.5 has merged {plural(merged, 'leaves')} into one, since all predict the same "
                "class; --no-collapse keeps them."
            )
        if said:
            console.warn_last("verdict", " ".join(said))
    return [
        {"column": name, "errors_avoided": share, "leave_out": data_options.leave_out([name])}
        for name, share in leaks.items()
    ]


def _print(model: Model, args: argparse.Namespace, console: Console) -> None:
    """Write the model to stdout in the format that was asked for."""
    if args.format in (None, "text"):
        print(model_text.model_text(model, args.levels))
        return
    levels = model.trees[0].tree.max_depth if args.levels is None else args.levels
    picture: Any = FittedModel.of(model).plot(levels=levels)
    with console.stage("drawing"):
        print(picture.dot if args.format == "dot" else picture.svg)


def _add_chunk_options(parser: argparse.ArgumentParser) -> None:
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


def _in_chunks(args: argparse.Namespace, word: str) -> bool:
    """Whether the table is to be read in chunks; refuse options that need it to be, or not."""
    if args.chunks or args.cluster is not None:
        flags = ("--importance", "--structure", "--edits", "--sheet")
        why = "It needs a table that is read at once."
        refuse_together(args, flags, "--chunks", why)
        if word == "together":
            raise OptionError(f"--repeats {word} must be left out with --chunks. {why}")
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


def _chunked_spec(args: argparse.Namespace) -> ModelSpec:
    """Make the spec that the options ask for; C4.5 has bins in chunks."""
    tree = {kind.name: kind for kind in (BinnedC45, BinnedShapedTree)}.get(args.model)
    if tree is None:
        if args.bins is not None:
            raise OptionError(f"--bins must come with a model of trees, not with {args.model!r}.")
        return model_options.spec_of(args)
    options = {
        "seed": args.seed,
        **model_options.learner_options(args),
        **model_options.settings_for(args, "model"),
    }
    if args.bins is not None:
        options["bins"] = args.bins
    return model_options.spec_with(args, build(tree, options), {})


def _grow_in_chunks(
    args: argparse.Namespace, console: Console, smoother: tuple[str, Smoother]
) -> tuple[Model, Scores | None]:
    """Grow and smooth a model from files that are read in chunks; say how it scores if asked."""
    memory, spec = memory_bytes(args.memory), _chunked_spec(args)
    check_chunked(spec, smoother[1])
    work = args.work or (f"{args.out}.passes" if args.out is not None else None)
    try:
        with conducting(work, args.cluster, console.stage, memory) as conductor:
            said = data_options.said_of_table(args)
            table = open_chunks(args.data, memory=memory, conductor=conductor, **said)
            data_options.note_reading(table, console)
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
