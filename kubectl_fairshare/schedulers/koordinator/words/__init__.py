"""Koordinator's decisions as the answers that all schedulers share, and its sentences.

Tested in ``tests/unit/schedulers/koordinator/test_words.py``.
"""
