"""Rules for the queues, workloads and scheduler settings of KAI-Scheduler.

Tested in ``testdata/rules``, by two examples for each.
"""

WORDS = ("kai.scheduler", "kai-scheduler", "run.ai")
"""Words of KAI's objects: without any of them in the input, the rules of this room have nothing to check."""
