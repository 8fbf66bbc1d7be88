"""What questions about a policy ask of Kueue.

Tested in ``tests/unit/policy/test_diff.py`` and ``tests/property/test_diff.py``.
"""
