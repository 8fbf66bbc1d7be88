"""Placement by topology. Tested in ``tests/unit/schedulers/kueue/topology/test_placement.py``."""
