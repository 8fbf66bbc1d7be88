"""Cohorts: their names and trees."""
