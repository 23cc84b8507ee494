"""The sampler of the hierarchical Dirichlet process."""
