"""CapacityScheduling's own fields of documents. Tested in ``tests/unit/cli/test_elasticquota_commands.py``."""
