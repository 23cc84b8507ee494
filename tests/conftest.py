"""What holds for all tests."""

import os

import pytest
from hypothesis import settings

# The first call of a kernel compiles it; unit tests never judge time.
settings.register_profile("probtrees", deadline=None)
# Without the JIT the same tests run once more: fewer examples of each are enough there.
settings.register_profile("uncompiled", deadline=None, max_examples=25)
UNCOMPILED = os.environ.get("NUMBA_DISABLE_JIT") == "1"
settings.load_profile("uncompiled" if UNCOMPILED else "probtrees")


@pytest.fixture(scope="session", autouse=True)
def keep_tables_apart(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Let servers that tests start keep tables elsewhere than in the user's own cache."""
    os.environ["PROBTREES_TABLES"] = str(tmp_path_factory.mktemp("kept"))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """Compile all kernels before the workers start, if all tests are run and none is kept."""
    runs_all = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    if not runs_all or UNCOMPILED:
        return
    from probtrees.experiment.warm_up import (  # noqa: PLC0415  imports the package
        compile_in_background,
    )

    for process in compile_in_background():
        process.wait()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Open browsers last, when the kernels are compiled and kept; skip what needs them compiled."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)
    if UNCOMPILED:
        too_long = pytest.mark.skip(reason="takes far too long without the JIT")
        for item in items:
            if item.get_closest_marker("compiled") is not None:
                item.add_marker(too_long)
