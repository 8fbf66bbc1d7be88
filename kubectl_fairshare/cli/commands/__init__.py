"""The commands, a module each. Tested in ``tests/golden``, as screens that were kept."""
