"""Lint: rules find mistakes in the input; each rule is a function with metadata."""
