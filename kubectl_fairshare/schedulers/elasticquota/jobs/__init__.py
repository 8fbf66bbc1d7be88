"""A Pod, or the pod of a template, as CapacityScheduling and the node fit of the scheduler see it."""
