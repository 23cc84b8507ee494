"""Columns of dates: how they are written, mixed with other cells, of birth, of a beginning."""
