"""Comments and annotations that suppress rules."""
