"""Pods as Koordinator reads them: from manifests, from templates, or from options.

Tested in ``tests/unit/schedulers/koordinator/test_reading.py``.
"""
