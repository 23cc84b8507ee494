"""Numerical fitting: a penalised multinomial logit and a minimiser in one dimension."""
