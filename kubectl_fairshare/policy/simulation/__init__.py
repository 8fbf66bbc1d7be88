"""What happens over time under a policy: one simulation by events, decided by a scheduler's own cycles."""
