"""The house of Koordinator's ElasticQuota: trees of quotas with a runtime quota that is divided from the top down."""
