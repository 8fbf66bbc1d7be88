"""What a policy has room for: the largest workload that gets in, found by deciding, and one unit more that does not.

Tested in ``tests/unit/policy/test_capacity.py``.
"""
