"""What the API server makes of objects, version by version."""
