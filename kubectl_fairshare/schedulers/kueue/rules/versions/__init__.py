"""How the API server treats objects of each version."""
