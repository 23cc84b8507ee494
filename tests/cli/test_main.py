import os
import subprocess
import sys

import pytest

from probtrees.cli import main
from probtrees.cli.parser import COMMANDS


class TestConsole:
    @pytest.mark.parametrize("command", list(COMMANDS))
    def test_help_has_examples(self, capsys, command):
        assert main([command, "--help"]) == 0
        text = capsys.readouterr().out
        assert f"probtrees {command}" in text
        assert "examples:" in text

    def test_help_without_a_command(self, capsys):
        assert main([]) == 0
        assert "evaluate" in capsys.readouterr().out
        assert main(["--version"]) == 0
        assert capsys.readouterr().out.startswith("probtrees ")

    def test_a_bug_shows_no_traceback(self, capsys, table, monkeypatch):
        monkeypatch.setattr("probtrees.cli.grow.grow_model", lambda *_: 1 / 0)
        monkeypatch.delenv("PROBTREES_DEBUG", raising=False)
        assert main(["grow", table]) == 1
        assert "ZeroDivisionError" in capsys.readouterr().err
        monkeypatch.setenv("PROBTREES_DEBUG", "1")
        with pytest.raises(ZeroDivisionError):
            main(["grow", table])

    def test_interruption(self, capsys, table, monkeypatch):
        def interrupt(*_):
            raise KeyboardInterrupt

        monkeypatch.setattr("probtrees.cli.grow.grow_model", interrupt)
        assert main(["grow", table, "--quiet"]) == 130
        assert capsys.readouterr().err == "probtrees: Interrupted.\n"

    def test_notes_go_to_stderr_unless_quiet(self, capsys, tmp_path):
        path = tmp_path / "t.csv"
        path.write_text("x,same,y\n" + "\n".join(f"{i % 7},1,{'ab'[i % 2]}" for i in range(30)))
        assert main(["grow", str(path)]) == 0
        assert "note: " in capsys.readouterr().err
        assert main(["grow", str(path), "--quiet"]) == 0
        assert capsys.readouterr().err == ""

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
