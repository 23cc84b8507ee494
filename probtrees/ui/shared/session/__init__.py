"""What one visitor holds and runs: state, caches, kept tables, jobs."""
