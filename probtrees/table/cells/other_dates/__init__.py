"""Dates in the words, digits and years of many countries, brought to those that are parsed."""
