"""CapacityScheduling's answers in words. Tested in ``tests/golden/elasticquota``, as screens that were kept."""
