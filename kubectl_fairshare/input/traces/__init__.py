"""Traces of jobs: our own format, and logs of other programs that become the same.

Tested in ``tests/unit/input/traces``.
"""
