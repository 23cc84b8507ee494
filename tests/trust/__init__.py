"""Bad input, bad options, faults and crowds: what the program must survive.

``python -m tests.trust --minutes 30`` runs all of it for as long as one likes; the tests in
this folder run a bounded part with fixed seeds.
"""
