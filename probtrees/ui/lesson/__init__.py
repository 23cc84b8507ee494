"""The Learn page: hierarchical smoothing in steps, on an example or on a leaf of one's own."""
