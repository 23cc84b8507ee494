"""Conducting: fit, cross-validate, compare and benchmark models made of the parts below."""
