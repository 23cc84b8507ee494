"""Numbers in a form of their own: ages, durations, and points out of a number."""
