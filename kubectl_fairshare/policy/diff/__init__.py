"""What a change of policy does.

Tested in ``tests/unit/policy/test_diff.py`` and ``tests/property/test_diff.py``.
"""
