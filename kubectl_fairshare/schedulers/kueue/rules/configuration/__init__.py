"""The manager's Configuration."""
