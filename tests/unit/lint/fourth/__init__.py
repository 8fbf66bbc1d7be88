"""A scheduler that exists for tests: what one brings to lint, and nothing else."""
