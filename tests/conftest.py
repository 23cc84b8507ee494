"""What holds for all tests."""

import pytest
from hypothesis import settings

# The first call of a kernel compiles it; unit tests never judge time.
settings.register_profile("probtrees", deadline=None)
settings.load_profile("probtrees")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Open browsers last, when the other tests have had the kernels compiled and kept."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)
