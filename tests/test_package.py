import doctest
import inspect
import subprocess
import sys

import pytest

import probtrees


def test_every_public_name_is_there_and_has_an_example():
    found = {name: getattr(probtrees, name) for name in probtrees.__all__}
    assert {*found} <= {*dir(probtrees)}
    documented = {name for name, entry in found.items() if ">>> " in (inspect.getdoc(entry) or "")}
    assert {*found} - documented == set()


@pytest.mark.parametrize("name", ["C45Classifier", "TANClassifier"])
def test_the_example_of_a_classifier_runs(name):
    found = doctest.DocTestFinder(recurse=False).find(getattr(probtrees, name), name, module=False)
    for example in found:
        assert doctest.DocTestRunner().run(example).failed == 0
    assert [bool(example.examples) for example in found] == [True]


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = probtrees.nonsense


READ = """
from probtrees.table.read_table import read_table
rows = "".join(f"{n},P{n:03},c {n % 3},2020-01-{1 + n % 28:02},{n} kg,0{n:03},{n % 24}:05,"
               f"{n % 2}\\n"
               for n in range(60))
read_table(("t.csv", ("a,b,c,d,e,f,g,y\\n" + rows + "NA,,k.A.,,3 kg,,,1\\n").encode()))
"""


@pytest.mark.parametrize(
    ("code", "heavy"),
    [
        ("import probtrees", "numba sklearn pandas plotly streamlit scipy numpy"),
        ("import probtrees.cli.grow, probtrees.cli.evaluate", "sklearn plotly streamlit"),
        (READ, "pandas"),
    ],
    ids=["importing", "growing", "reading a text"],
)
def test_nothing_heavy_is_loaded(code, heavy):
    code += f"\nimport sys; print(*sorted({{*{heavy.split()}}} & {{*sys.modules}}))"
    finished = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=False
    )
    assert (finished.stdout.strip(), finished.stderr) == ("", "")
