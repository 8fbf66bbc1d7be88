"""Units: the parts of a repository that are applied together, each to one cluster."""
