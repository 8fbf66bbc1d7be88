"""The kinds of KAI-Scheduler's API."""
