"""What a structure is, how it is read from a file, and the structures of Kubernetes itself."""
