"""SmoothedTrees under a schema: predicting, routing, files, the track record."""
