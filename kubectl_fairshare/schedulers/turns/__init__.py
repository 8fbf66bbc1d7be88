"""Waiting pods in the order in which a scheduler of single pods tries them, and what each gets."""
