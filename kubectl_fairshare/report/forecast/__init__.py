"""Forecasts, printed."""
