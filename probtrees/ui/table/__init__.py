"""The Data page: a table looked at and set right before anything is grown from it."""
