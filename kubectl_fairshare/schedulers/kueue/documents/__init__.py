"""Kueue's own fields of documents. Tested in ``tests/unit/report/documents/test_schema.py``."""
