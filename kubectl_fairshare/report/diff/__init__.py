"""The answer to ``diff``, printed: a screen, a document, a page and the text of a pull request.

Tested in ``tests/unit/report/test_diff.py`` and by the kept screens in ``tests/golden/diff``.
"""
