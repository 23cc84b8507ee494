"""How networks count: tables, mutual information, rows left out."""
