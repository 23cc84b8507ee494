"""The command as a whole: help, exit codes, the shell, the app and the doctor."""

import json
import os
import shutil
import subprocess
import sys
from unittest.mock import Mock

import pytest

from probtrees.cli import doctor, main
from probtrees.cli.parser import COMMANDS
from probtrees.version import __version__
from tests.cli.command import refuse, run


class TestConsole:
    @pytest.mark.parametrize("command", list(COMMANDS))
    def test_help_has_examples(self, capsys, command):
        assert main([command, "--help"]) == 0
        text = capsys.readouterr().out
        assert f"probtrees {command}" in text
        assert "examples:" in text

    def test_a_bug_shows_no_traceback(self, capsys, table, monkeypatch):
        monkeypatch.setattr("probtrees.cli.grow.grow_model", lambda *_: 1 / 0)
        monkeypatch.delenv("PROBTREES_DEBUG", raising=False)
        assert main(["grow", table]) == 1
        assert "ZeroDivisionError" in capsys.readouterr().err
        monkeypatch.setenv("PROBTREES_DEBUG", "1")
        with pytest.raises(ZeroDivisionError):
            main(["grow", table])

    def test_interruption(self, capsys, table, monkeypatch):
        interrupted = Mock(side_effect=KeyboardInterrupt)
        monkeypatch.setattr("probtrees.cli.grow.grow_model", interrupted)
        assert main(["grow", table, "--quiet"]) == 130
        assert capsys.readouterr().err == "probtrees: Interrupted.\n"

    def test_runs_as_a_module_and_survives_a_closed_pipe(self, table):
        command = [sys.executable, "-m", "probtrees", "grow", table, "--quiet"]
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ)
        )
        process.stdout.close()
        errors = process.stderr.read()
        process.stderr.close()
        assert process.wait(timeout=120) == 0
        assert errors == b""


class TestAppOptions:
    @pytest.mark.parametrize(
        ("option", "words"),
        [
            (("--address", "nonsense"), "must be an address of this machine"),
            (("--max-rows", "0"), "PROBTREES_MAX_ROWS: rows=0 must be at least 1"),
            (("--max-upload", "much"), "PROBTREES_MAX_UPLOAD: upload='much' must be a whole"),
            (("--port", "70000"), "must be from 1 to 65535"),
            (("--embed-in", "course.example.org"), "must be a site"),
            (("--embed-in", "https://a; script-src *"), "must be a site"),
        ],
    )
    def test_bad_ones_give_one_sentence(self, capsys, monkeypatch, option, words):
        monkeypatch.setenv("PROBTREES_MAX_ROWS", "")
        monkeypatch.setenv("PROBTREES_MAX_UPLOAD", "")
        assert words in refuse(capsys, "app", *option)


def test_it_says_what_a_bug_report_needs(capsys, monkeypatch):
    found = json.loads(run(capsys, "doctor", "--json"))
    assert found == json.loads(json.dumps(doctor.findings()))
    assert {"probtrees", "memory", "kernels", "browser", "numba", "streamlit"} <= {*found}
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    said = run(capsys, "doctor")
    assert "slow" in said
    assert __version__ in said


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_offers_names_and_files(capsys, tmp_path):
    main(["completion", "bash"])
    script = capsys.readouterr().out
    (tmp_path / "passengers.csv").touch()
    for words, offered in (
        ("predict --deci", "--decimal"),
        ("grow --smoother lapl", "laplace"),
        ("grow passen", "passengers.csv"),
    ):
        n = len(words.split())
        ask = (
            f"{script}\nCOMP_WORDS=(probtrees {words}); COMP_CWORD={n}; _shtab_probtrees; "
            'echo "${COMPREPLY[@]}"'
        )
        done = subprocess.run(
            ["bash", "-c", ask], capture_output=True, text=True, check=True, cwd=tmp_path
        )
        assert offered in done.stdout, done.stderr
