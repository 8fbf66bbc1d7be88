"""Rules about topology-aware scheduling: requests of jobs, flavors with a topology, and their Nodes."""
