"""Whether a model holds on another table: its answers, its columns, its leaves."""
