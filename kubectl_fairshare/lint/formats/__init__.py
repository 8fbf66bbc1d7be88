"""Lint results in the formats that people and other programs read."""
