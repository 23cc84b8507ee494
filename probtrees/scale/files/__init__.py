"""The files of a large table: found, cut into parts, read part by part."""
