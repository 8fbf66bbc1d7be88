"""ResourceFlavors and Topologies."""
