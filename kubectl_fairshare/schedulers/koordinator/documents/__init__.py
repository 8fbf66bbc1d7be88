"""Koordinator's own parts of documents.

Tested in ``tests/unit/schedulers/koordinator/test_words.py``.
"""
