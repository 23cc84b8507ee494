"""The wheel carries everything: installed elsewhere, it finds its samples and serves its app."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.app.conftest import end, free_port, wait_until_healthy

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel and unpack it into a folder of its own."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    build = ["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run([*pip, *build], check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert not [name for name in names if name.startswith("tests")]
    target = folder / "site"
    install = ["install", "--no-deps", "--no-index", "--target", str(target), str(wheel)]
    subprocess.run([*pip, *install], check=True, capture_output=True)
    return target


def _elsewhere(installed: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(installed)}


def test_samples_are_found(installed, tmp_path):
    code = "import probtrees as p; print(p.__file__); print(p.load_sample('titanic').n_rows)"
    said = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=_elsewhere(installed),
        check=True,
        capture_output=True,
        text=True,
    ).stdout.splitlines()
    assert said[0].startswith(str(installed))
    assert said[1] == "2201"


def test_the_app_is_served(installed, tmp_path):
    port = free_port()
    process = subprocess.Popen(
        [str(installed / "bin" / "probtrees"), "app", "--headless", "--port", str(port)],
        cwd=tmp_path,
        env=_elsewhere(installed),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_until_healthy(port, process)
    finally:
        end(process)
