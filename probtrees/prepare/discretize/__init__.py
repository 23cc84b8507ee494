"""Where to cut numeric columns into intervals: one file per method, training rows only."""
