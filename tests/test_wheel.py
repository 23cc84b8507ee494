"""The wheel carries everything: installed elsewhere, it finds its samples and serves its app."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import zipfile
from pathlib import Path

import pytest

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
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [str(installed / "bin" / "probtrees"), "app", "--headless", "--port", str(port)],
        cwd=tmp_path,
        env=_elsewhere(installed),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert _health(port, process) == "ok"
    finally:
        process.terminate()
        process.wait(timeout=120)


def _health(port: int, process: subprocess.Popen[bytes]) -> str:
    deadline = time.monotonic() + 180
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=5) as ok:
                return str(ok.read().decode())
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.2)
    return "no answer"
