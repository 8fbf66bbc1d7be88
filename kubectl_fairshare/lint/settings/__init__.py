"""What a repository says of its lint: settings, and the findings that are known."""
