"""CapacityScheduling on a state in motion: which pods it places and preempts as time passes."""
