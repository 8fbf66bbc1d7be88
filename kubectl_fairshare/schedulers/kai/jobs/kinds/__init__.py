"""How KAI's pod grouper reads each kind of job: which pods the job has, and which of them start together.

Tested in ``tests/unit/schedulers/kai/jobs/test_kinds.py``.
"""
