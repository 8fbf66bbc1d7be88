"""Findings at their lines: located, counted, suppressed; and their remedies as changes of text."""
