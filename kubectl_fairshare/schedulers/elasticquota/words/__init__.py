"""CapacityScheduling's answers as text. Tested in ``tests/golden/elasticquota``, as kept screens."""
