"""One file per format that tables are read from."""
