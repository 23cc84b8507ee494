"""What is asked about a file that is scored."""
