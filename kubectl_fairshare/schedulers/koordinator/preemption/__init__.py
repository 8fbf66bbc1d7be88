"""The quotas' test of a pod, its victims, the over-use revoker.

Tested in ``tests/unit/schedulers/koordinator/test_preemption.py`` and ``tests/conformance/test_koordinator.py``.
"""
