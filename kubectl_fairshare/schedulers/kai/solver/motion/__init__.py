"""KAI on a state in motion: which jobs its sessions start and evict as time passes."""
