"""What the API server makes of one object: decoding, defaults, pruning, conversion, schema and webhook rules."""
