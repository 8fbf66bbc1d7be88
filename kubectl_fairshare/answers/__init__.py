"""Answers as data: the part that every scheduler's answers share, independent of engine and output format."""
