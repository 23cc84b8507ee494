import numpy as np
import pytest

from benchmarks.papers.peers import PEERS, FittedPeer, Peer
from probtrees.table.dataset import UNSEEN, Dataset
from tests.small_tables import patients


@pytest.mark.parametrize("name", PEERS)
def test_every_peer_answers_for_every_declared_class(name):
    if name == "xgboost":
        pytest.importorskip("xgboost")
    data = patients(80)
    peer = PEERS[name]
    assert isinstance(peer, Peer)
    fitted = peer.fit(data)
    assert isinstance(fitted, FittedPeer)
    new = np.vstack([data.values, [[np.nan, UNSEEN, np.nan, np.nan]]])
    proba = fitted.predict_proba(Dataset(data.schema, new))
    assert proba.shape == (81, 3)
    assert proba.sum(axis=1) == pytest.approx(1)
    assert (proba[:, 2] == 0).all()
    if name != "base-rate":
        assert (proba[:80].argmax(axis=1) == data.labels).mean() > 0.7


def test_the_base_rate_counts_weights():
    data = patients(10)
    weighted = Dataset(data.schema, data.values, weights=np.arange(10.0))
    proba = PEERS["base-rate"].fit(weighted).predict_proba(weighted)
    expected = np.bincount(data.labels, weights=np.arange(10.0), minlength=3) / 45
    assert proba[3] == pytest.approx(expected)
