"""What the plugins of kube-scheduler have in common: pods, one by one, on nodes."""
