"""Whether nodes have room, and which pods are more important.

Tested in ``tests/unit/schedulers/koordinator/test_preemption.py`` and ``tests/conformance/test_koordinator.py``.
"""
