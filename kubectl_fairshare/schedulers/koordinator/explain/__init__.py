"""Figures, derivations, plans, remedies, proofs.

Tested in ``tests/unit/schedulers/koordinator/test_explain.py`` and ``tests/conformance/test_koordinator.py``.
"""
