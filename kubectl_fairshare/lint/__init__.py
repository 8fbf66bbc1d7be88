"""Lint: rules look for mistakes in what was read, each a function with its metadata."""
