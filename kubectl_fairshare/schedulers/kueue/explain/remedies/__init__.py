"""What would help: changes that were tried."""
