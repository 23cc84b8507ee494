"""How the cells of a column are written: what is read as a number or a date, and how."""
