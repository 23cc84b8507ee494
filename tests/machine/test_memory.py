from probtrees.machine import memory as module


def test_a_container_may_use_less_than_the_machine(monkeypatch, tmp_path):
    limit, unlimited = tmp_path / "memory.max", tmp_path / "unlimited"
    limit.write_text("1000000\n")
    unlimited.write_text("max\n")
    monkeypatch.setattr(module, "CONTAINER_LIMITS", (unlimited, tmp_path / "not there"))
    assert module.machine_memory() > 1_000_000
    monkeypatch.setattr(module, "CONTAINER_LIMITS", (unlimited, limit))
    assert module.machine_memory() == 1_000_000


def test_a_system_that_does_not_tell_is_taken_for_a_usual_one(monkeypatch):
    monkeypatch.setattr(module, "CONTAINER_LIMITS", ())
    monkeypatch.delattr(module.os, "sysconf")
    assert module.machine_memory() == module.USUAL_MEMORY
