"""Which encoding the bytes of a text are written in."""
