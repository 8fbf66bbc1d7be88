"""Kueue's answers in words. Tested in ``tests/golden``, as screens that were kept."""
