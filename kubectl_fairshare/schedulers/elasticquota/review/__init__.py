"""What questions about a policy ask of ElasticQuotas.

Tested in ``tests/unit/policy/test_diff_elsewhere.py``.
"""
