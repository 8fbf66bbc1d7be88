"""Rules about Koordinator's quotas.

A module for each subject; the texts of all are in ``texts.toml``. Tested in
``tests/unit/schedulers/koordinator/test_rules.py`` and by the examples in ``testdata/rules``.
"""
