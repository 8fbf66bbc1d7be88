"""The plan that KAI's solver finds: which pods go where, what is evicted for it, what moves.

Reads from below: ``statuses``, ``machines`` (nodes as they are), ``tasks`` (pods as they are), ``ledgers`` (what a node
has left), ``gangs`` (whose turn it is in a job), ``views`` (jobs and pods in a state), ``layers`` (a state that is
built on another), ``predicates``, ``scorers``, ``placing`` (allocate), ``scenarios``, ``generators``, ``search``
(victims), ``attempts``, ``actions``, ``cycle``.

Tested in ``tests/conformance/test_kai_plan.py``, against plans that KAI made.
"""
