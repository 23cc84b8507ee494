import subprocess
import sys

import pytest

import probtrees


@pytest.mark.parametrize("name", probtrees.__all__)
def test_every_public_name_is_there(name):
    assert getattr(probtrees, name) is not None
    assert name in dir(probtrees)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = probtrees.nonsense


def test_importing_loads_nothing_heavy():
    code = (
        "import sys, probtrees; "
        "heavy = {'numba', 'sklearn', 'pandas', 'plotly', 'streamlit', 'scipy', 'numpy'}; "
        "print(*sorted(heavy & set(sys.modules)))"
    )
    finished = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert finished.stdout.strip() == ""
    assert finished.stderr == ""


def test_growing_loads_no_scikit_learn_and_no_plotly():
    code = (
        "import sys; from probtrees.cli import main; import probtrees.cli.grow; "
        "import probtrees.cli.evaluate; "
        "heavy = {'sklearn', 'plotly', 'streamlit'}; "
        "print(*sorted(heavy & set(sys.modules)))"
    )
    finished = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert finished.stdout.strip() == ""
    assert finished.stderr == ""
