"""Writes to KAI-Scheduler's API as kube-apiserver and KAI's webhooks judge them."""
