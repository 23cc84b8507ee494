"""The recipes of benchmarks/papers: their labels fit together, and they run and resume."""

import importlib
import re
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from benchmarks.papers.peers import RandomForest, XGBoost

FOLDER = Path(__file__).parents[2] / "benchmarks" / "papers"
TABLES = (
    "hgs_tables",
    "hgs_convergence",
    "hdp_on_trees",
    "validation_and_pruning",
    "forest_sizes",
    "hdp_tables",
    "eskdb_tables",
    "eskdb_figures",
)

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="an installed package has no recipes")


@pytest.fixture(autouse=True)
def _on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FOLDER))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two small data sets."""
    random = np.random.default_rng(0)
    for name in ("first", "second"):
        a, b = random.normal(size=60), random.choice(["x", "y", "z"], size=60)
        label = np.where(a + (b == "x") + random.normal(size=60) > 0.5, "yes", "no")
        lines = [f"{v:.3f},{c},{y}" for v, c, y in zip(a, b, label, strict=True)]
        (tmp_path / f"{name}.csv").write_text("a,b,y\n" + "\n".join(lines) + "\n")
    return tmp_path


@pytest.mark.parametrize("name", TABLES)
def test_published_figures_belong_to_methods_that_are_run(name: str) -> None:
    recipe = importlib.import_module(name)
    run = [*recipe.METHODS, *getattr(recipe, "OTHERS", ())]
    labels = [method.label for method in run]
    assert len(set(labels)) == len(labels)
    optional = {"XGBoost tuned"}
    assert set(recipe.PUBLISHED.means) <= {*labels, *optional}
    for pair, texts in recipe.PUBLISHED.records.items():
        assert set(pair) <= {*labels, *optional}
        assert all(text == "" or re.fullmatch(r"\d+-\d+-\d+", text) for text in texts)


def test_a_recipe_prints_both_figures_and_goes_on_where_it_stopped(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    side_by_side = importlib.import_module("side_by_side")
    others = importlib.import_module("other_methods")
    out = folder / "results.log"
    arguments = [str(folder), "--cv", "2", "--jobs", "1", "--out", str(out)]
    monkeypatch.setattr(sys, "argv", ["recipe", *arguments])
    methods = [side_by_side.Method(name, name, learner="nb") for name in ("laplace", "m-estimate")]
    pair = ("laplace", "forest")
    published = side_by_side.Published(
        "A paper, table 1", {"laplace": (0.2, 0.1, 3.0)}, {pair: ("1-0-1", "")}
    )
    more = (
        ["a remark"],
        [others.OtherMethod("forest", others.peer(RandomForest(n_trees=3), nominal=True))],
    )
    summary = side_by_side.main(methods, published, *more)
    printed = capsys.readouterr().out
    assert "2 data sets of at most 60 rows, 2 folds" in printed
    for words in ("A paper, table 1", "0.2000", "1-0-1", "always the base rate", "a remark"):
        assert words in printed
    assert summary.means["forest"]["rmse"] < summary.means["always the base rate"]["rmse"]
    before = out.read_text()
    side_by_side.main(methods, published, *more)
    assert out.read_text() == before
    assert set(pd.read_csv(out)["smoother"].dropna()) == {"laplace", "m-estimate", "forest"}


def test_a_recipe_comes_to_its_end_without_a_package_or_a_data_set(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    side_by_side = importlib.import_module("side_by_side")
    others = importlib.import_module("other_methods")
    monkeypatch.setattr(sys, "argv", ["recipe", str(folder), "--cv", "2", "--jobs", "1"])
    monkeypatch.setitem(sys.modules, "xgboost", None)
    published = side_by_side.Published("A paper", {}, {("laplace", "XGBoost"): ("1-0-1", "")})
    boosting = others.OtherMethod("XGBoost", others.peer(XGBoost(), nominal=True))
    methods = [side_by_side.Method("laplace", "laplace", learner="nb")]
    side_by_side.main(methods, published, others=[boosting])
    printed = capsys.readouterr().out
    assert "pip install 'probtrees[boosting]'" in printed
    assert "not run" in printed
    super_parent = importlib.import_module("super_parent_tables")
    (folder / "iris.arff").touch()
    assert super_parent._names_at_hand(folder) == ["iris"]
    assert "annealing" in capsys.readouterr().err
