"""How good probabilities are, and whether a difference is more than luck."""
