"""Passes on a Dask cluster: the same model."""

import os

import pytest

from probtrees import cross_validate
from probtrees.cli import main
from probtrees.errors import DataError, OptionError
from probtrees.estimators.public_functions import fit_chunks
from probtrees.experiment.model_spec import make_spec, named_smoother
from probtrees.scale.learn.binned_c45 import BinnedC45
from probtrees.scale.learn.fit_chunks import fit_table
from probtrees.scale.passes.cluster import OnCluster, connected, fanned_out
from probtrees.scale.passes.conductor import Conductor
from probtrees.scale.passes.open_chunks import open_chunks
from tests.scale.table_parts import write_parts
from tests.small_tables import patients

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("default"),  # those of Dask are not ours to mend
]


@pytest.fixture(scope="module")
def client():
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs="CRITICAL"
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Many row groups in two files."""
    place = tmp_path_factory.mktemp("cluster") / "parts"
    return write_parts(patients(600), place, ".parquet", n_parts=2)[0]


def on_cluster(client, folder, spec=None, workers=None):
    conductor = Conductor(workers or OnCluster(client))
    table = open_chunks(folder, conductor=conductor)
    return fit_table(table, spec or make_spec("skdb"), named_smoother("m-estimate"), conductor)


def parts_of(model):
    record = model.to_dict()
    return record["schema"], record["members"], record["diagnostics"]


@pytest.fixture
def small_parts(monkeypatch):
    monkeypatch.setattr("probtrees.scale.files.table_files._MOST_ROWS", 12)


def test_one_and_two_workers_give_the_model_of_one_process(client, folder, small_parts):
    here = parts_of(fit_chunks(folder, "skdb"))
    assert parts_of(on_cluster(client, folder)) == here
    client.cluster.scale(1)
    try:
        assert parts_of(on_cluster(client, folder)) == here
    finally:
        client.cluster.scale(2)
        client.wait_for_workers(2, timeout=120)


@pytest.mark.parametrize("memory", [1, 1 << 30])
@pytest.mark.parametrize("model", ["skdb", "c45"])
def test_rows_are_held_by_the_workers_if_they_fit(client, folder, small_parts, memory, model):
    spec = make_spec(BinnedC45() if model == "c45" else model)
    workers = OnCluster(client, memory)
    there = on_cluster(client, folder, spec, workers)
    assert (workers.held is not None) == (memory > 1)
    assert parts_of(there) == parts_of(fit_chunks(folder, spec, "m-estimate"))


def test_a_cluster_started_here_is_stopped_with_its_workers(folder):
    with connected("local") as started:
        workers = list(started.run(os.getpid).values())
        assert len(set(workers)) == os.cpu_count()
        assert parts_of(on_cluster(started, folder)) == parts_of(fit_chunks(folder, "skdb"))
    for worker in workers:
        with pytest.raises(ProcessLookupError):
            os.kill(worker, 0)


def test_a_bad_file_stops_the_pass_with_its_sentence(client, folder, tmp_path):
    content = bytearray((folder / "part0.parquet").read_bytes())
    content[4:400] = bytes(396)
    (tmp_path / "bad.parquet").write_bytes(content)
    with pytest.raises(DataError, match=r"bad\.parquet' \(rows 1 to 300\)"):
        on_cluster(client, tmp_path)


def test_folds_are_worked_on_by_the_cluster(client):
    data = patients(60)
    here = cross_validate(data, "nb", "laplace", folds=3).scores
    with fanned_out(client.scheduler.address):
        assert cross_validate(data, "nb", "laplace", folds=3, n_jobs=-1).scores == here


def test_the_command_line_counts_on_a_cluster(client, folder, tmp_path, capsys):
    out = tmp_path / "m.json"
    given = [str(folder), "--model", "nb", "--out", str(out), "--quiet"]
    assert main(["grow", *given, "--cluster", client.scheduler.address]) == 0
    there = out.read_text()
    assert main(["grow", *given, "--chunks"]) == 0
    assert out.read_text() == there
    assert "from 600 rows" in capsys.readouterr().out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.json"]


def test_workers_started_in_another_folder_find_the_files(client, folder, monkeypatch):
    monkeypatch.chdir(folder.parent)
    assert parts_of(on_cluster(client, folder.name)) == parts_of(fit_chunks(folder, "skdb"))


def test_a_file_that_workers_do_not_see_is_named(client, folder, tmp_path):
    conductor = Conductor(OnCluster(client))
    (tmp_path / "p.parquet").write_bytes((folder / "part0.parquet").read_bytes())
    table = open_chunks(tmp_path, conductor=conductor)
    (tmp_path / "p.parquet").unlink()
    with pytest.raises(DataError, match=r"p\.parquet' .*must be readable.*every worker must see"):
        fit_table(table, make_spec("nb"), named_smoother("m-estimate"), conductor)


def test_no_scheduler_there():
    before = dask.config.get("scheduler", None)
    with (
        pytest.raises(OptionError, match="address of a Dask scheduler"),
        connected("tcp:/nonsense"),
    ):
        pass
    assert dask.config.get("scheduler", None) == before
