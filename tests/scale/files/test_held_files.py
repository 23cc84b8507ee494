"""A file that is held open stays the same file, whatever becomes of its path."""

import os

import pytest

from probtrees.errors import DataError
from probtrees.scale.files.held_files import held_open, place_of
from probtrees.scale.files.table_files import find_files
from probtrees.scale.files.text_blocks import read_text
from probtrees.table.read_options import ReadOptions

TABLE = "a,b\n1,x\n2,y\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "outside.csv").write_text("secret,b\n9,x\n8,y\n", encoding="utf-8")
    inside = tmp_path / "shared" / "deep"
    inside.mkdir(parents=True)
    (inside / "t.csv").write_text(TABLE, encoding="utf-8")
    return tmp_path / "shared"


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="open files are not listed here")
def test_a_file_swapped_for_a_link_is_not_followed(folder):
    path = str(folder / "deep" / "t.csv")
    with held_open(folder, [path]):
        os.unlink(path)
        os.symlink(folder.parent / "outside.csv", path)
        (file,) = find_files(path)
        assert file.names == ("a", "b")
        (rows,) = read_text(path, ReadOptions(), 1 << 20)
        assert set(rows[1].columns) == {"a", "b"}
    assert place_of(path) == path


@pytest.mark.parametrize("swapped", ["t.csv", "deep"])
def test_a_link_is_refused_also_on_the_way(folder, swapped):
    path = folder / "deep" / "t.csv"
    target = folder.parent / "elsewhere"
    (folder.parent / "elsewhere").mkdir()
    (target / "t.csv").write_text(TABLE, encoding="utf-8")
    if swapped == "deep":
        os.rename(folder / "deep", folder.parent / "moved")
        os.symlink(target, folder / "deep")
    else:
        os.unlink(path)
        os.symlink(target / "t.csv", path)
    with (
        pytest.raises(DataError, match="moved or replaced by a link"),
        held_open(folder, [str(path)]),
    ):
        pass
