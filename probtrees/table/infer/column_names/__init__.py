"""What the names of columns say about the numbers below them."""
