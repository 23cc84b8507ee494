"""Readers: from a file of some format to a raw table."""
