"""KAI's answers in words. Tested in ``tests/golden/kai``, as screens that were kept."""
