"""What questions about a policy ask of KAI.

Tested in ``tests/unit/policy/test_diff_elsewhere.py``.
"""
