"""Questions about a policy: what a change of it does, whether it holds what its authors expect, what it has room for.

Each is written once, against ``schedulers.review``, and names no scheduler.
"""
