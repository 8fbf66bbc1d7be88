"""Koordinator's part of a snapshot: quotas, settings, gates.

Tested in ``tests/unit/schedulers/koordinator/test_reading.py`` and ``tests/conformance/test_koordinator.py``.
"""
