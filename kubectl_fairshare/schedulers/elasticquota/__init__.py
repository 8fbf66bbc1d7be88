"""CapacityScheduling of scheduler-plugins: the decision for a pod under ElasticQuotas."""
