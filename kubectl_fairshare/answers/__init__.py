"""Answers as data: what every scheduler's answers have in common, whatever decides and whatever prints them."""
