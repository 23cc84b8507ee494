"""Slow, readable twins of the compiled kernels.

Each function here does in plain Python what a kernel does fast, so that a reader can check
it against the formula and a test can check the kernel against it.
"""
