"""Jobs and Workloads."""
