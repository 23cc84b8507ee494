"""Measurements are run by hand, each by its own command: none of them is a test."""

collect_ignore_glob = ["*.py"]
