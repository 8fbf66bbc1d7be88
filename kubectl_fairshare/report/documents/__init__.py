"""Answers as documents for machines: plain dictionaries with a schema each, written as JSON."""
