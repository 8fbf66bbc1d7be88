"""A fuzzer that knows manifests: states and jobs of every scheduler, gone wrong, under every command and format."""
