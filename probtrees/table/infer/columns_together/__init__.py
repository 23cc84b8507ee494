"""What columns of a table say of each other."""
