"""Attacks by strangers, a module for each row of ``docs/threats.md``."""
