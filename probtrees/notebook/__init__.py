"""The face of the package in Python and in notebooks."""
