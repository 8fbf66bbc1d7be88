"""Preemption and priorities."""
