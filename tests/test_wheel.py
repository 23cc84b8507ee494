"""The wheel carries everything: installed elsewhere, it finds its samples and serves its app."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.app.conftest import free_port, served

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


def test_samples_are_found(installed, tmp_path):
    code = "import probtrees as p; print(p.__file__); print(p.load_sample('titanic').n_rows)"
    said = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(installed)},
        check=True,
        capture_output=True,
        text=True,
    ).stdout.splitlines()
    assert said[0].startswith(str(installed))
    assert said[1] == "2201"


def test_the_app_is_served(installed, tmp_path):
    program = [str(installed / "bin" / "probtrees")]
    with served(free_port(), program=program, folder=tmp_path, PYTHONPATH=str(installed)):
        pass  # it has answered
