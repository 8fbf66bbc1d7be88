"""Rules for manifests of any kind."""
