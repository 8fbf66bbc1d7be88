"""Tests of a policy: what its authors expect the scheduler to decide, checked against what it decides.

Tested in ``tests/unit/policy/test_suite.py``.
"""
