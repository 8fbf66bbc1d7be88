"""What the manifests of a workload say about it: the parts of its requests, and what holds it later."""
