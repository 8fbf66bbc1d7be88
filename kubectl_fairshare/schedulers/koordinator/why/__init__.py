"""Why a pod is where it is: what keeps it out, who holds that, who can preempt it.

Tested in ``tests/unit/schedulers/koordinator/test_why.py``.
"""
