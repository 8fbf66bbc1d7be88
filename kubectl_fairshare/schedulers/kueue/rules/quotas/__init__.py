"""Quotas, limits and quantities."""
