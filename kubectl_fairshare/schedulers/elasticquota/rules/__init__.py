"""Rules for ElasticQuotas, and for the pods and scheduler settings that they bind.

Tested in ``testdata/rules``, by two examples for each.
"""

WORDS = ("ElasticQuota", "KubeSchedulerConfiguration", "CapacityScheduling")
"""An input in which none of these words stands has nothing that the rules of this room are about."""
