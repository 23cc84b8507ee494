"""The same table with the same choices shows the same tree, by whatever way one came."""

import threading
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from probtrees.grow.edits import ArrowEdit
from probtrees.table.read_table import sample_path
from probtrees.ui.network import network_picture
from probtrees.ui.shared import kept_session, table_source
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.bounded_cache import Upload
from probtrees.ui.shared.session.kept_tables import KeptTables
from tests.app.app_page import address, give, noisy_table, press, put, ran, visit

pytestmark = pytest.mark.usefixtures("patient_page")


A, B = noisy_table("a", 1), noisy_table("b", 5)


def given(page: AppTest, upload: Upload) -> AppTest:
    """Upload a table."""
    return give(page, upload.content, upload.name)


def tree_of(page: AppTest) -> str:
    """Return the line that says how large which tree is, and what the leaf table holds."""
    lines = [text.value for text in page.markdown]
    (line,) = (text for text in lines if "leaves" in text and "target:" in text)
    return f"{line}\n{page.dataframe[0].value.to_csv()}"


def test_drawing_the_growing_options_chooses_nothing_for_the_next_table() -> None:
    page = given(visit("tree"), A)
    page.session_state["growing"] = True
    ran(page)
    assert [field for field in page.number_input if field.key == "c45.min_leaf field"]
    given(page, B)
    assert tree_of(page) == tree_of(given(visit("tree"), B))
    assert not [name for name in address(page) if name.startswith("c45.")]


def test_how_large_a_tree_is_listed_whatever_the_app_chose_and_the_usual_is_a_choice() -> None:
    page = given(visit("tree"), A)
    page.session_state["growing"] = True
    ran(page)
    ways = next(radio for radio in page.radio if radio.label.startswith("How large a tree"))
    sizes = [int(caption.split(" ")[0]) for caption in ways.proto.captions]
    assert sizes == sorted(sizes, reverse=True)
    assert f"{sizes[ways.index]} leaves" in tree_of(page)
    assert 0 < ways.index < len(sizes) - 1, "larger and smaller ones"
    ways.set_value(ways.options[0])
    ran(page)
    assert f"{sizes[0]} leaves" in tree_of(page)
    assert f"{sizes[0]} leaves" in tree_of(visit("tree", address(page), upload=A))


def test_settings_stay_with_their_table() -> None:
    page = given(visit("tree"), A)
    given(put(page, "c45.min_leaf field", 30), B)
    assert "c45.min_leaf" not in address(page)


def test_a_file_is_looked_at_beside_the_page_and_cancel_goes_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = given(visit("tree"), A)
    go_on = threading.Event()
    inspect = table_source.inspect_table

    def slowly(*asked: Any) -> Any:
        go_on.wait(60)
        return inspect(*asked)

    monkeypatch.setattr(table_source, "inspect_table", slowly)
    monkeypatch.setattr("probtrees.ui.shared.session.jobs.PATIENCE", 0.1)
    page.file_uploader[0].set_value(("slow.csv", noisy_table("slow", 3).content, ""))
    page.run()
    assert "Looking at slow" in page.get("progress")[0].proto.text
    assert not page.selectbox, "nothing is pushed down, since nothing else is there"
    next(button for button in page.button if button.label == "Cancel").click().run()
    go_on.set()
    assert page.session_state[state.UPLOAD] == A


def test_a_link_starts_no_comparison() -> None:
    link = {"v": "1", "sample": "stroke", "compare.started": "1", "compare.folds": "2"}
    page = visit("compare", {**link, "compare.smoothers": "mle,laplace"})
    assert not page.dataframe
    press(page, "Compare")
    again = visit("compare", address(page))
    assert len(again.dataframe) == len(page.dataframe) > 0, "what is known is shown"


@pytest.fixture
def tab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The name of the tab, which a test may change; tables are kept as those of one visitor."""
    tables, names = KeptTables(tmp_path), ["1" * 32]
    monkeypatch.setattr(kept_session, "kept_tables", lambda: tables)
    monkeypatch.setattr(kept_session, "_visitor", lambda: "me")
    monkeypatch.setattr(kept_session, "_tab", lambda part: names[0] if part == "tab" else "")
    return names


@pytest.mark.usefixtures("tab")
def test_what_was_chosen_for_a_sample_and_given_for_validation_survive_a_reload() -> None:
    page = visit("tree", {"sample": "stroke"})
    put(page, "c45.min_leaf field", 30)
    assert visit("data", {"v": "1", "sample": "stroke"}).session_state["c45.min_leaf"] == 30
    page = visit("compare", {"sample": "stroke", "compare.tab": "On another table"})
    content = sample_path("stroke").read_bytes()
    put(page, "validate.table", ("stroke.csv", content, ""))
    again = visit("compare", address(page))
    assert "In use: stroke.csv" in [b.label.replace("\\", "") for b in again.button]
    assert again.session_state["validate.table held"].content == content


def test_numbers_of_another_model_are_blanked() -> None:
    page = visit("tree")
    marks = []
    for name in ("hgs", "mle"):
        page.session_state["smoother"] = name
        ran(page)
        (style,) = [html.value for html in page.get("html") if "=of_model" in html.value]
        marks.append(style[style.index("=of_model") + 1 : style.index("])")])
        keys = [
            block.proto.id for block in page.get("flex_container") if "of_model" in block.proto.id
        ]
        assert [key.split(marks[-1])[-1] for key in keys] == ["_quality", "_leaf", "_answers"]
    assert marks[0] != marks[1]


def test_boxes_of_a_network_stay_where_they_are_whatever_is_asked_beside_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    boxes: list[dict[int, Any]] = []
    draw = network_picture._component

    def note(data: Any, **more: Any) -> Any:
        boxes.append({node["column"]: node["box"] for node in data["nodes"]})
        return draw(data=data, **more)

    monkeypatch.setattr(network_picture, "_component", note)
    page = visit("network", {"sample": "titanic", "network.side": "Ask"})
    edits = (ArrowEdit("reverse", "class", "age"), ArrowEdit("remove", "survived", "age"))
    values = {"findings": {"sex": "male"}, "side": "Structure", "skdb.edits": edits}
    for key, value in values.items():
        page.session_state[f"network.{key}"] = value
        ran(page)
    assert all(shown == boxes[0] for shown in boxes)
    assert len(boxes) > 3
