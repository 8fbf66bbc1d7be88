"""Who may preempt running work: quickly, by conditions that are necessary, and then by newcomers that are tried.

Tested in ``tests/unit/schedulers/kueue/preemption/test_exposures.py`` and
``tests/property/exact/test_kueue_preemptors.py``.
"""
