"""What holds for all tests."""

from hypothesis import settings

# The first call of a kernel compiles it; unit tests never judge time.
settings.register_profile("probtrees", deadline=None)
settings.load_profile("probtrees")
