from probtrees.experiment import warm_up as module
from probtrees.experiment.compiling import PARTS
from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.registry import SMOOTHERS
from probtrees.experiment.warm_up import Stump, warm_up
from probtrees.grow.count_tree import check_tree


def test_warming_up_runs_every_smoother():
    warm_up()
    warm_up(("nb",), tuple(SMOOTHERS)[:1])


def test_the_stump_is_a_tree_that_counts_all_rows():
    data = module._tiny_table()
    tree = grow_model(data, Stump()).trees[0]
    check_tree(tree)
    assert tree.totals.tolist() == [40, *tree.totals[1:]]
    assert tree.totals[1:].sum() == 40


def test_every_mark_stands_for_something_that_runs(monkeypatch):
    ran = []
    monkeypatch.setattr(module, "warm_up", lambda *what: ran.append(what))
    monkeypatch.setattr(module, "keep_mark", ran.append)
    monkeypatch.setattr(module.os, "nice", lambda _: 0)
    for part in PARTS:
        module.compile_part(part)
        assert ran[-1] == part
    assert (("c45",), ("mle",)) in ran
    assert ((Stump(),), ("hgs",)) in ran
    assert (("nb",), ("m-branch", "hgs")) in ran
    assert ((Stump(), "nb"), ("hdp",)) in ran
