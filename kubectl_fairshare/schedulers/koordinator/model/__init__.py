"""The input of Koordinator's quotas, amounts, names.

Tested in ``tests/unit/schedulers/koordinator/test_quotas.py`` and ``tests/conformance/test_koordinator.py``.
"""
