"""Rules for Kueue, in files named after their subject."""
