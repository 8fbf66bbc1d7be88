"""When waiting work starts: a snapshot is played on from now by the scheduler's own motion, over seeds."""
