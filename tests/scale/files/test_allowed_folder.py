"""The guard of --allow-paths: files in the folder are found, nothing else can be asked about."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probtrees.errors import DataError, OptionError
from probtrees.scale.files import allowed_folder
from probtrees.scale.files.allowed_folder import AllowedFolder, held_open, place_of
from probtrees.scale.files.table_files import find_files
from probtrees.scale.files.text_blocks import read_text
from probtrees.table.read_options import ReadOptions


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    base = tmp_path_factory.mktemp("server")
    (base / "shared" / "year" / "deep").mkdir(parents=True)
    (base / "shared-too").mkdir()
    (base / "secret").mkdir()
    for name in [
        "shared/a.csv",
        "shared/b.csv",
        "shared/note.md",
        "shared/[x].csv",
        "shared/.hidden.csv",
        "shared/year/1.parquet",
        "shared/year/deep/2.parquet",
        "secret/s.csv",
        "shared-too/t.csv",
    ]:
        (base / name).write_text("x,y\n1,a\n")
    (base / "shared" / "out.csv").symlink_to(base / "secret" / "s.csv")
    (base / "shared" / "gone.csv").symlink_to(base / "secret" / "none.csv")
    (base / "shared" / "outside").symlink_to(base / "secret")
    (base / "shared" / "inside").symlink_to(base / "shared" / "year")
    (base / "shared" / "loop").symlink_to(base / "shared")
    (base / "shared" / "round.csv").symlink_to(base / "shared" / "round.csv")
    os.mkfifo(base / "shared" / "pipe.csv")
    (base / "link-to-shared").symlink_to(base / "shared")
    return base


@pytest.fixture(scope="module")
def folder(places):
    return AllowedFolder.at(places / "shared")


def _found(folder, asked):
    return [folder.shown(path) for path in folder.find(asked)]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("a.csv", ["a.csv"]),
        (" a.csv ", ["a.csv"]),
        ("./year/../a.csv", ["a.csv"]),
        ("*.csv", ["[x].csv", "a.csv", "b.csv"]),
        ("[ab].csv", ["a.csv", "b.csv"]),
        ("[!a].csv", ["b.csv"]),
        ("[x].csv", ["[x].csv"]),
        ("?.csv", ["a.csv", "b.csv"]),
        (".*.csv", [".hidden.csv"]),
        ("year", ["year/1.parquet", "year/deep/2.parquet"]),
        ("year/", ["year/1.parquet", "year/deep/2.parquet"]),
        ("year/*.parquet", ["year/1.parquet"]),
        ("inside/1.parquet", ["year/1.parquet"]),
        ("inside/*.parquet", ["year/1.parquet"]),
        ("note.md", ["note.md"]),
        (".", ["[x].csv", "a.csv", "b.csv", "year/1.parquet", "year/deep/2.parquet"]),
    ],
)
def test_tables_in_the_folder_are_found(folder, asked, expected):
    assert _found(folder, asked) == expected


def test_absolute_paths_into_the_folder_are_found(places, folder):
    assert _found(folder, str(places / "shared" / "a.csv")) == ["a.csv"]
    assert _found(folder, str(places / "shared" / "*.md")) == ["note.md"]
    assert _found(folder, str(places / "link-to-shared" / "a.csv")) == ["a.csv"]


REFUSED = """
none.csv none*.csv ../secret/s.csv ../secret/none.csv ../secret ../secret/*.csv
../shared-too/t.csv year/../../secret/s.csv */../../secret/* **/../../secret/*.csv
{base}/secret/s.csv {base}/secret/none.csv {base}/secret/* {base}/*/s.csv
{base}/shared-too/t.csv {base}/shared-too/* /etc/passwd /etc/* //etc/passwd ~/x.csv ~root
**/*.parquet */*.parquet
out.csv o*.csv gone.csv round.csv outside outside/s.csv outside/*.csv out*/* **/s.csv
loop/../../secret/s.csv pipe.csv p*.csv [ [a [!] file:///etc/passwd http://localhost/a.csv
s3://bucket/a.parquet
"""
"""Places outside, links that lead there, what is not there, what is no path."""


@pytest.mark.parametrize(
    "asked",
    [
        *REFUSED.split(),
        *["", " ", "a.csv\x00", "../secret/s.csv\x00.csv", "a\x00*.csv", "a.csv\x1b[2J/x"],
        "x" * 5000,
    ],
)
def test_everything_else_is_refused_in_the_same_words(places, folder, asked):
    asked = asked.replace("{base}", str(places))
    with pytest.raises(DataError) as refused:
        folder.find(asked)
    with pytest.raises(DataError) as missing:
        folder.find("surely-not-there.csv")
    ours = str(refused.value).replace(repr(asked[:100]), "?")
    assert ours == str(missing.value).replace("'surely-not-there.csv'", "?")


PLACES = ["out.csv", "outside", "loop", "year", "secret", "s.csv", "shared", "a.csv", "inside"]
pieces = st.sampled_from(["..", ".", "/", "//", "*", "**", "?", "[a]", "~", "\0", *PLACES])


@given(st.lists(pieces, min_size=1, max_size=8), st.sampled_from(["/", ""]))
def test_nothing_outside_is_ever_given(folder, parts, between):
    try:
        found = folder.find(between.join(parts))
    except DataError:
        return
    for path in found:
        assert os.path.realpath(path) == path
        assert path.startswith(str(folder.root) + os.sep)


def test_not_everything_is_looked_at(folder, monkeypatch):
    monkeypatch.setattr(allowed_folder, "MOST_ENTRIES", 3)
    with pytest.raises(DataError, match="at most 3"):
        folder.find(".")


@pytest.mark.parametrize("given", ["none", "shared/a.csv"])
def test_only_a_folder_can_be_allowed(places, given):
    with pytest.raises(OptionError, match="must be a folder"):
        AllowedFolder.at(places / given)


TABLE = "a,b\n1,x\n2,y\n"


@pytest.fixture
def shared(tmp_path):
    (tmp_path / "outside.csv").write_text("secret,b\n9,x\n8,y\n", encoding="utf-8")
    inside = tmp_path / "shared" / "deep"
    inside.mkdir(parents=True)
    (inside / "t.csv").write_text(TABLE, encoding="utf-8")
    return tmp_path / "shared"


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="open files are not listed here")
def test_a_file_swapped_for_a_link_is_not_followed(shared):
    path = str(shared / "deep" / "t.csv")
    with held_open(shared, [path]):
        os.unlink(path)
        os.symlink(shared.parent / "outside.csv", path)
        (file,) = find_files(path)
        assert file.names == ("a", "b")
        (rows,) = read_text(path, ReadOptions(), 1 << 20)
        assert set(rows[1].columns) == {"a", "b"}
    assert place_of(path) == path


@pytest.mark.parametrize("swapped", ["t.csv", "deep"])
def test_a_link_is_refused_also_on_the_way(shared, swapped):
    path = shared / "deep" / "t.csv"
    target = shared.parent / "elsewhere"
    (shared.parent / "elsewhere").mkdir()
    (target / "t.csv").write_text(TABLE, encoding="utf-8")
    if swapped == "deep":
        os.rename(shared / "deep", shared.parent / "moved")
        os.symlink(target, shared / "deep")
    else:
        os.unlink(path)
        os.symlink(target / "t.csv", path)
    with (
        pytest.raises(DataError, match="moved or replaced by a link"),
        held_open(shared, [str(path)]),
    ):
        pass
