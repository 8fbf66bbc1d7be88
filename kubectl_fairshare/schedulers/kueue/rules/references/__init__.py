"""Names of missing objects, and objects that no other object names."""
