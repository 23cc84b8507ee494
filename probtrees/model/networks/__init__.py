"""Networks written out: every table as a whole array, asked by pyAgrum, kept in files of others."""
