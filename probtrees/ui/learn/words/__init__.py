"""The words of the lesson, step by step."""
