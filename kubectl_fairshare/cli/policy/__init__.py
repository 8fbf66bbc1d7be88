"""What the commands about policies share: files of tests, and searches over all cores.

Tested in ``tests/unit/policy/test_suite.py`` and ``tests/unit/policy/test_search.py``.
"""
