"""Rules for ElasticQuotas, and for the pods and scheduler settings that concern them.

Tested in ``testdata/rules``, by two examples for each.
"""

WORDS = ("ElasticQuota", "KubeSchedulerConfiguration", "CapacityScheduling")
"""Words of these objects: without any of them in the input, the rules of this room have nothing to check."""
