"""Models as code in other languages."""
