"""Lint rules: functions from what was given to findings, with metadata from which all else follows."""
