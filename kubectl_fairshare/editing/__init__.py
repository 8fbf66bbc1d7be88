"""Changes to texts, with the proof that nothing else changed. Tested in ``tests/property/test_splices.py``."""
