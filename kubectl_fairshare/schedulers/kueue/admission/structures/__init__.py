"""The structures of Kueue's API as data, with the CEL rules that stand on them."""
