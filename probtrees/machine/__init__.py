"""What the computer lends: kept kernels, memory, checkpoints, files, processes."""
