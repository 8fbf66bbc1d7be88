"""Writes of ElasticQuotas and Pods as kube-apiserver and Koordinator's webhook judge them.

Tested in ``tests/unit/schedulers/koordinator/test_admission.py``.
"""
