"""Rules for the queues, workloads and scheduler settings of KAI-Scheduler.

Tested in ``testdata/rules``, by two examples for each.
"""

WORDS = ("kai.scheduler", "kai-scheduler", "run.ai")
"""An input in which none of these words stands has nothing that the rules of this room are about."""
