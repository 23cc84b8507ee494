import pytest
from joblib import Parallel, delayed

from probtrees.cli import main
from probtrees.errors import OptionError
from probtrees.experiment.plug_in import load_plug_in
from probtrees.experiment.registry import SMOOTHERS, make_smoother
from tests.small_tables import patients, write_csv

GOOD = '''
from dataclasses import dataclass
from typing import ClassVar

from probtrees.options import option
from probtrees.smooth.m_estimate import MEstimate


@dataclass(frozen=True)
class Mine(MEstimate):
    """An m-estimate by another name."""

    name: ClassVar[str] = "mine"
    spice: float = option(1.0, help="Does nothing.", minimum=0)
'''

BROKEN = (
    GOOD
    + """
    def smooth(self, tree, evidence=None):
        smoothed = super().smooth(tree, evidence)
        smoothed.probs[:] = 0.3
        return smoothed
"""
)


@pytest.fixture
def plug_in(tmp_path):
    before = dict(SMOOTHERS)

    def write(text: str):
        path = tmp_path / "my_smoother.py"
        path.write_text(text)
        return path

    yield write
    SMOOTHERS.clear()
    SMOOTHERS.update(before)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 1", "must define a smoother"),
        ("x = (", "Line 1: SyntaxError"),
        ("\nx = 1 / 0", "Line 2: ZeroDivisionError"),
        (BROKEN, "mine"),
    ],
)
def test_what_is_wrong_with_a_file_is_one_sentence(plug_in, text, words):
    with pytest.raises(OptionError, match=words):
        load_plug_in(plug_in(text))
    assert "mine" not in SMOOTHERS


def test_another_process_gets_it_from_the_file(plug_in):
    assert load_plug_in(plug_in(GOOD)) == load_plug_in(plug_in(GOOD)) == ["mine"]
    ours = make_smoother("mine", {"spice": 3})
    (theirs,) = Parallel(n_jobs=2)([delayed(repr)(ours)])
    assert theirs == repr(ours)


def test_every_command_takes_it(plug_in, tmp_path, capsys):
    table = str(write_csv(patients(), tmp_path / "t.csv"))
    extra = ["--with", str(plug_in(GOOD))]
    model = str(tmp_path / "m.json")
    assert main(["grow", table, "--smoother", "mine", "--out", model, *extra]) == 0
    assert main(["predict", model, table, *extra]) == 0
    assert main(["compare", table, "--cv", "2", "--smoothers", "mle,mine", *extra]) == 0
    assert "\nmine " in capsys.readouterr().out
