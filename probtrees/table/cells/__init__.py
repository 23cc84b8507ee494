"""Cells as they are written become numbers, dates and categories."""
