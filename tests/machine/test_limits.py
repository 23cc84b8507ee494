import pytest

from probtrees.errors import DataError, OptionError
from probtrees.machine import limits as module
from probtrees.machine.limits import ServerLimits


def test_limits_come_from_the_environment():
    limits = ServerLimits.from_environment({"PROBTREES_MAX_ROWS": "10", "PROBTREES_MAX_NODES": ""})
    assert limits == ServerLimits(rows=10)


@pytest.mark.parametrize("text", ["0", "many", "-1", "1.5", "nan", "9" * 5000])
def test_a_limit_that_is_none_is_named(text):
    with pytest.raises(OptionError, match="PROBTREES_MAX_ROWS"):
        ServerLimits.from_environment({"PROBTREES_MAX_ROWS": text})


def test_what_is_too_large_is_refused_with_advice():
    limits = ServerLimits(rows=10, columns=5, nodes=3)
    limits.check_table(10, 5)
    limits.check_nodes(3)
    with pytest.raises(DataError, match=r"rows=11 must be at most 10 on this server.*--max-rows"):
        limits.check_table(11, 5)
    with pytest.raises(DataError, match="columns=6 must be at most 5"):
        limits.check_table(10, 6)
    with pytest.raises(DataError, match="smaller k"):
        limits.check_nodes(4, of_network=True)
    with pytest.raises(DataError, match="nodes=4 must be at most 3"):
        limits.check_nodes(4)


def test_a_container_may_use_less_than_the_machine(monkeypatch, tmp_path):
    limit, unlimited = tmp_path / "memory.max", tmp_path / "unlimited"
    limit.write_text("1000000\n")
    unlimited.write_text("max\n")
    monkeypatch.setattr(module, "CONTAINER_LIMITS", (unlimited, tmp_path / "not there"))
    assert module.machine_memory() > 1_000_000
    monkeypatch.setattr(module, "CONTAINER_LIMITS", (unlimited, limit))
    assert module.machine_memory() == 1_000_000
