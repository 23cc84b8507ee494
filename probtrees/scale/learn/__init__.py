"""Models learnt and judged by passes."""
