"""What the columns of a table hold: types, roles, identifiers, leaks."""
