import json

from probtrees.cli import doctor, main
from probtrees.version import __version__


def test_it_says_what_a_bug_report_needs(capsys):
    assert main(["doctor"]) == 0
    said = capsys.readouterr().out
    for words in (__version__, "memory", "kernels", "browser", "numba", "streamlit"):
        assert words in said


def test_json_holds_the_same(capsys):
    assert main(["doctor", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == json.loads(json.dumps(doctor.findings()))
    assert found["cores"] >= 1


def test_a_package_that_is_gone_is_named(monkeypatch):
    monkeypatch.setattr(doctor, "_needed", lambda: ["no-such-package"])
    assert "missing" in doctor.findings()["no-such-package"]


def test_without_the_jit_it_says_that_all_is_slow(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert "slow" in doctor.findings()["kernels"]


def test_where_no_browser_is_found_the_address_is_to_be_opened(monkeypatch):
    def none():
        raise doctor.webbrowser.Error

    monkeypatch.setattr(doctor.webbrowser, "get", none)
    assert "yourself" in doctor.findings()["browser"]
