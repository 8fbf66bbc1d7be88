"""Writes of ElasticQuotas as kube-apiserver judges them; no webhook stands behind it."""
