"""A file or a frame becomes a Dataset."""
