"""Comments and annotations by which an author silences rules."""
