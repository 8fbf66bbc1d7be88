"""Writes of ElasticQuotas as kube-apiserver judges them; there is no webhook."""
