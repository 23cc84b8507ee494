"""Where a probability came from."""
