"""Why jobs are where they are: what the state decides, beside what the cluster recorded."""
