"""Kueue on a state in motion: which workloads its cycles admit and evict as time passes."""
