"""A repository's own settings of lint, and its known findings."""
