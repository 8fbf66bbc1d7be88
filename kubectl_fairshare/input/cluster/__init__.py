"""A live cluster as input: who is asked, as whom, for which lists, and what could not be had; only gets and lists."""
