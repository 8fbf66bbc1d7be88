"""Lint results as documents."""
