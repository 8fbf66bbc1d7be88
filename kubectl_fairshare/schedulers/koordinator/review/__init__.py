"""What questions about a policy ask of Koordinator's quotas.

Tested in ``tests/unit/schedulers/koordinator/test_review.py``.
"""
