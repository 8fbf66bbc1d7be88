"""What a shell may be offered while a command line is typed: fast, silent, and without what commands import."""
