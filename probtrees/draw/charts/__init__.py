"""Charts of figures: benchmarks, comparisons, forecasts, splits, quality."""
