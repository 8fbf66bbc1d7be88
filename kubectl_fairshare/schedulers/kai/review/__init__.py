"""KAI's part in questions about a policy.

Tested in ``tests/unit/policy/test_diff_elsewhere.py``.
"""
