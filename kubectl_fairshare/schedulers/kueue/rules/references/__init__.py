"""Names that lead nowhere, and objects that nothing leads to."""
