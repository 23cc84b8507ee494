"""What a scan remembers of a column: the same in any pieces, short however long the column."""

import numpy as np

from probtrees.scale.passes import column_summary
from probtrees.scale.passes.column_summary import ColumnSummary
from probtrees.table.raw_table import Numbers, Texts


class TestSummaries:
    def summary(self, *columns):
        seen = ColumnSummary()
        for column in columns:
            one = ColumnSummary()
            one.update(column)
            seen.merge(ColumnSummary.from_dict(one.to_dict()))
        return seen

    def test_many_texts_are_no_longer_counted(self, monkeypatch):
        monkeypatch.setattr(column_summary, "MOST_DISTINCT", 3)
        texts = [Texts.of(np.array([0, 1], dtype=np.int32), [f"{n}", "b"]) for n in range(4)]
        assert self.summary(*texts).counts is None
        assert self.summary(*texts[:2]).counts == {"0": 1, "1": 1, "b": 2}

    def test_consecutive_numbers_are_noticed_when_there_are_many(self, monkeypatch):
        monkeypatch.setattr(column_summary, "MOST_DISTINCT", 3)
        rows = [Numbers(np.arange(start, start + 10.0)) for start in (-20, 0, -10)]
        assert np.diff(self.summary(*rows).stand_in().values).tolist() == [1.0] * 63
        assert (np.diff(self.summary(*rows[:2]).stand_in().values) != 1).any()

    def test_a_long_column_has_a_short_stand_in(self, monkeypatch):
        monkeypatch.setattr(column_summary, "_MOST_CELLS", 100)
        column = Texts.of(np.zeros(1000, dtype=np.int32), ["a"])
        rare = Texts.of(np.array([0, -1], dtype=np.int32), ["b"])
        short = self.summary(column, rare).stand_in()
        assert 100 <= len(short.codes) <= 103
        assert short.texts == ("a", "b")
        assert (short.codes == 1).any()
        assert (short.codes < 0).any()
