"""What adds up in log-odds: hierarchical linear smoothing, and a logit with any features."""
