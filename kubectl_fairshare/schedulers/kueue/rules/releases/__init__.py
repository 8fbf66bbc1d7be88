"""What crashes or starves a release of Kueue although every object is accepted.

Tested in ``tests/unit/lint/test_examples.py``.
"""
