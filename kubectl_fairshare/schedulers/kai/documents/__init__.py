"""KAI's own fields of documents. Tested in ``tests/unit/cli/test_kai_commands.py``."""
