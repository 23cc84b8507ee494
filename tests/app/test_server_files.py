"""Large data on the server: named, learnt from in chunks, shown; and off unless allowed."""

import pytest
from streamlit.testing.v1 import AppTest

from benchmarks.make_big import known_network, known_tree, make_big
from probtrees.machine.limits import ALLOW_PATHS
from probtrees.ui.shared.loaded_model import LOADED
from tests.app.app_page import press, visit


@pytest.fixture
def shared(tmp_path, monkeypatch):
    folder = tmp_path / "shared"
    folder.mkdir()
    tree = known_tree(1, n_attributes=3, n_values=3, n_numeric=1, depth=2)
    make_big(folder / "trees.parquet", tree, 400, seed=1)
    network = known_network(1, n_attributes=4, n_values=3)
    make_big(folder / "parts", network, 600, n_parts=2, ending="csv", seed=1)
    (folder / "broken.parquet").write_bytes(b"PAR1 not really")
    (tmp_path / "secret.csv").write_text("x,y\n1,a\n2,b\n")
    (folder / "link.csv").symlink_to(tmp_path / "secret.csv")
    monkeypatch.setenv(ALLOW_PATHS, str(folder))
    return folder


def name(page: AppTest, path: str) -> AppTest:
    page.text_input(key="server.path").set_value(path).run()
    return page


@pytest.mark.parametrize("folder", ["", "/surely/not/there"])
def test_off_unless_the_server_was_started_with_a_folder(monkeypatch, folder) -> None:
    monkeypatch.setenv(ALLOW_PATHS, folder)
    page = visit("data")
    assert not [field for field in page.text_input if field.key == "server.path"]


@pytest.mark.parametrize("path", ["../secret.csv", "{outside}", "link.csv", "none.csv", "l*.csv"])
def test_nothing_else_can_be_asked_about(shared, path) -> None:
    path = path.replace("{outside}", str(shared.parent / "secret.csv"))
    page = name(visit("data"), path)
    (error,) = page.error
    assert "must be tables in the folder that this server shares" in error.value
    assert not [button for button in page.button if button.label == "Learn"]


def test_a_tree_is_learnt_and_put_on_show(shared, monkeypatch) -> None:
    gone_to: list[str] = []
    monkeypatch.setattr("streamlit.switch_page", gone_to.append)
    page = name(visit("data"), "trees.parquet")
    assert any("400 rows · 4 columns" in caption.value for caption in page.caption)
    press(page, "Learn")
    assert "400 rows: 1 tree" in page.success[0].value
    press(page, "Show it")
    loaded = page.session_state[LOADED]
    assert (loaded.name, gone_to) == ("trees", ["pages/tree.py"])
    assert loaded.model.tree.tree.totals[0] == 400


def test_a_network_is_learnt_from_a_folder(shared) -> None:
    page = name(visit("data"), "parts")
    page.selectbox(key="server.model").set_value("tan").run()
    press(page, "Learn")
    assert "TAN from 600 rows: 5 tables" in page.success[0].value


def test_a_broken_file_is_named_without_the_way_to_it(shared) -> None:
    page = name(visit("data"), "broken.parquet")
    (error,) = page.error
    assert "must be readable and complete" in error.value
    assert shared.name not in error.value.replace("\\", "")
