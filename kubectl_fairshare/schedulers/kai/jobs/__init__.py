"""A Pod as KAI-Scheduler sees it."""
