"""Rules for Kueue, in files named after their subject. Tested in ``testdata/rules``, by two examples for each."""
