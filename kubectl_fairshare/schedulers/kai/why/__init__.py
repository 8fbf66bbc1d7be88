"""Why jobs are where they are: the decision on the state, and what the cluster recorded."""
