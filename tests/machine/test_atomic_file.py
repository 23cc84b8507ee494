"""Places to write: refused before the work whose result belongs there."""

import pytest

from probtrees.cli import main
from probtrees.errors import DataError
from probtrees.machine.atomic_file import check_place


def test_a_place_is_tried_without_a_trace(tmp_path):
    kept = tmp_path / "kept.html"
    kept.write_text("as it was")
    check_place(kept, "report")
    check_place(tmp_path / "new.html", "report")
    check_place(None, "report")
    assert [path.name for path in tmp_path.iterdir()] == ["kept.html"]
    assert kept.read_text() == "as it was"


@pytest.mark.parametrize("name", [".", "no/such/folder/report.html", "x" * 300, "nul\0"])
def test_a_place_that_is_none_is_refused(tmp_path, name):
    with pytest.raises(DataError, match=r"report='.* must be a place to write\. "):
        check_place(f"{tmp_path}/{name}", "report")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "arguments", [("grow", "--out"), ("grow", "--report"), ("compare", "--report")]
)
def test_nothing_is_read_for_a_file_that_cannot_be_written(tmp_path, capsys, arguments):
    command, option = arguments
    assert main([command, "no such table.csv", option, str(tmp_path)]) == 2
    assert "must be a place to write" in capsys.readouterr().err
