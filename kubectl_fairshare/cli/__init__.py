"""The commands: options in, answers out; the only room with streams and exit codes."""
