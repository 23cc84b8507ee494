"""How settings of a shaped tree are walked through."""

import pytest

from probtrees.experiment.fit_shapes import _Search


@pytest.mark.parametrize(("gain", "ends_at"), [(1e-13, 1), (1e-6, 2)])
def test_rounding_does_not_lead_to_another_setting(monkeypatch, gain, ends_at):
    losses = {1.0: 5.0, 2.0: 4.0, 3.0: 4.0 * (1 - gain), 4.0: 6.0}
    search = _Search([])

    def look_up(penalty, freedom):
        search.tried[penalty, freedom] = losses[penalty]
        return losses[penalty]

    monkeypatch.setattr(search, "_try", look_up)
    place, lowest = search.walk([[(x, 1.0) for x in losses]], (0, 0), ((0, 1),))
    assert place == (0, ends_at)
    assert lowest == losses[1.0 + ends_at]
