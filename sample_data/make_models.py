"""Write the tree that the app shows first, so that nobody waits for a compiler to see it.

Run from anywhere: ``python sample_data/make_models.py``.
"""

from __future__ import annotations

from pathlib import Path

import probtrees

FIRST = "titanic"

if __name__ == "__main__":
    model = probtrees.fit(probtrees.load_sample(FIRST))
    model.save(Path(__file__).parent / f"{FIRST}.model.json")
