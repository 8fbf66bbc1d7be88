"""The answer to ``test``, printed: a line for each test, a document, and reports for CI.

Tested in ``tests/unit/policy/test_suite.py`` and by the kept screens in ``tests/golden/test``.
"""
