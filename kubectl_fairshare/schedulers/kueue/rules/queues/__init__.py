"""Settings of ClusterQueues and LocalQueues."""
