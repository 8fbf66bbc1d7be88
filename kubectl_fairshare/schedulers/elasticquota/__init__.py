"""CapacityScheduling of scheduler-plugins: what becomes of a pod under ElasticQuotas."""
