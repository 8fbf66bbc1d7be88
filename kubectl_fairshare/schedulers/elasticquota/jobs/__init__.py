"""A Pod, or the pod of a template, as CapacityScheduling and the scheduler's node fit see it."""
