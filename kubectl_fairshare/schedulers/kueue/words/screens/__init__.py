"""The screens of Kueue's answers. Tested in ``tests/golden``."""
