"""Numeric columns cut into intervals, one method per file."""
