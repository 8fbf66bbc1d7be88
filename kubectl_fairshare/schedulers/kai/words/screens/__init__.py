"""The screens of KAI's answers. Tested in ``tests/golden/kai``."""
