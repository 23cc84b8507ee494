import pytest

from tests.cli.command import refuse


class TestAppOptions:
    @pytest.mark.parametrize(
        ("option", "words"),
        [
            (("--address", "nonsense"), "must be an address of this machine"),
            (("--max-rows", "0"), "PROBTREES_MAX_ROWS: rows=0 must be at least 1"),
            (("--max-upload", "much"), "PROBTREES_MAX_UPLOAD: upload='much' must be a whole"),
            (("--port", "70000"), "must be between 1 and 65535"),
            (("--embed-in", "course.example.org"), "must be a site"),
            (("--embed-in", "https://a; script-src *"), "must be a site"),
        ],
    )
    def test_bad_ones_give_one_sentence(self, capsys, monkeypatch, option, words):
        monkeypatch.setenv("PROBTREES_MAX_ROWS", "")
        monkeypatch.setenv("PROBTREES_MAX_UPLOAD", "")
        assert words in refuse(capsys, "app", *option)
