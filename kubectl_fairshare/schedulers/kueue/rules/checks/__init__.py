"""Admission checks and MultiKueue."""
