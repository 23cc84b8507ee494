"""Whole documents made of explanations and pictures."""
