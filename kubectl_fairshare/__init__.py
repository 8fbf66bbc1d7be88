"""Explain and predict batch quota decisions on Kubernetes, offline and exactly."""

__version__ = "0.1.0"
