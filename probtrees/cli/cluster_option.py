"""The option that lets the folds or data sets of a command be worked on by a Dask cluster."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

ALL_JOBS = -1
"""As many jobs at a time as the cluster has room for."""


def add_cluster_option(parser: Any) -> None:
    """Let a command fan out over a cluster."""
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="work on a Dask cluster: tcp://HOST:PORT of its scheduler, or 'local'\n"
        "for one started here; takes the place of --jobs",
    )


@contextmanager
def fanning_out(args: argparse.Namespace) -> Iterator[int]:
    """Give the number of jobs to work on at a time, with the cluster ready if one is wanted."""
    if args.cluster is None:
        yield args.jobs
        return
    with import_module("probtrees.scale.passes.cluster_client").fanned_out(args.cluster):
        yield ALL_JOBS
