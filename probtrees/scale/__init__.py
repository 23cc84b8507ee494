"""Learning from tables that do not fit into memory: in chunks on one machine, or on a cluster."""
