"""Trees of quotas: membership, sums, runtime.

Tested in ``tests/unit/schedulers/koordinator/test_quotas.py`` and ``tests/conformance/test_koordinator.py``.
"""
