"""Who may preempt running jobs: quickly, by conditions that are necessary, and then by newcomers that are tried.

Tested in ``tests/unit/schedulers/kai/reclaim/test_exposures.py`` and ``tests/property/exact/test_kai_preemptors.py``.
"""
