"""The type of structures, their reader, and the structures of Kubernetes itself."""
