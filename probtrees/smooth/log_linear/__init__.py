"""What adds up in log-odds: hierarchical linear smoothing, and points out of log-odds."""
