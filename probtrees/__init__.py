"""Smoothed decision trees and Bayesian network classifiers, with their reasons."""

__version__ = "0.1.0"
