"""Delimited and printed text: how it is written, which lines are rows, what names its columns."""
