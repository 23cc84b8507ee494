"""Finished results on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from probtrees.experiment.evaluation.benchmark_results import ResultLog

FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="a device that only some systems have")
def test_a_device_without_end_is_not_read() -> None:
    with pytest.raises(OSError, match="No space left"):
        ResultLog(FULL, ("a", "b"), ("a",), "b")
