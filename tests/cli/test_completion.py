import shutil
import subprocess

import pytest

from probtrees.cli import main
from probtrees.cli.parser import COMMANDS


def test_every_command_and_its_options_are_known(capsys):
    assert main(["completion", "bash"]) == 0
    script = capsys.readouterr().out
    for words in (*COMMANDS, "--smoother", "--report", "--max-rows"):
        assert words in script


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_completes_an_option(capsys):
    main(["completion", "bash"])
    ask = (
        capsys.readouterr().out
        + "\nCOMP_WORDS=(probtrees predict --deci); COMP_CWORD=2; _shtab_probtrees; "
        + 'echo "${COMPREPLY[@]}"'
    )
    done = subprocess.run(["bash", "-c", ask], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "--decimal"


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_offers_names_and_files(capsys, tmp_path):
    main(["completion", "bash"])
    script = capsys.readouterr().out
    (tmp_path / "passengers.csv").touch()
    for words, offered in (("grow --smoother lapl", "laplace"), ("grow passen", "passengers.csv")):
        n = len(words.split())
        ask = (
            f"{script}\nCOMP_WORDS=(probtrees {words}); COMP_CWORD={n}; _shtab_probtrees; "
            'echo "${COMPREPLY[@]}"'
        )
        done = subprocess.run(
            ["bash", "-c", ask], capture_output=True, text=True, check=True, cwd=tmp_path
        )
        assert offered in done.stdout, done.stderr


def test_an_unknown_shell_is_one_sentence(capsys):
    assert main(["completion", "dos"]) == 2
    assert "dos" in capsys.readouterr().err
