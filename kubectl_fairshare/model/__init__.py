"""Value types without I/O: the vocabulary that every other room shares."""
