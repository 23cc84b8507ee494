"""Model files of an earlier release answer as they did, or are refused; never otherwise.

Every file was written before the reading of tables was rebuilt, and is kept with rows to score and
their probabilities. A file whose columns are written in a way that is not read any more
("may_refuse") may be refused in one sentence.
"""

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probtrees import load_model
from probtrees.errors import ProbTreesError

FOLDER = Path(__file__).parents[1] / "golden" / "models"
INDEX = json.loads((FOLDER / "index.json").read_text("utf-8"))
MODELS = {record["name"]: record for record in INDEX["models"]}


@pytest.mark.parametrize("name", MODELS)
def test_answers_as_when_it_was_saved(name: str, tmp_path: Path) -> None:
    record: dict[str, Any] = MODELS[name]
    file, rows = tmp_path / "model.json", tmp_path / "rows.csv"
    file.write_bytes(gzip.decompress((FOLDER / record["file"]).read_bytes()))
    rows.write_bytes(INDEX["rows"][record["rows"]].encode())
    try:
        model = load_model(file)
        found = model.predict_proba(rows)
    except ProbTreesError as refused:
        if record["may_refuse"] and "\n" not in str(refused):
            return
        raise
    assert list(model.classes_) == record["classes"]
    np.testing.assert_allclose(found, record["probabilities"], rtol=0, atol=1e-12)
