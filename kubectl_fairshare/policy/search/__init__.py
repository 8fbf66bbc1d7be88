"""A search for loads that break an invariant of a policy: small ones all, larger ones at random, then the smallest.

Tested in ``tests/unit/policy/test_search.py``.
"""
