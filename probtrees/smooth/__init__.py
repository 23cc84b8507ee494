"""Smoothers: counts in, probabilities out. One named method of the literature per file."""
