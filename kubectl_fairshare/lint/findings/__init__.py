"""Findings at their lines: placed, counted, silenced, and their remedies as changes of texts."""
