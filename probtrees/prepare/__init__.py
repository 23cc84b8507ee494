"""Getting a table ready: reading, typing its columns, cutting numbers, making folds."""
