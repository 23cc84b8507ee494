"""Passes over all rows: coded, counted and merged, here or on a cluster."""
