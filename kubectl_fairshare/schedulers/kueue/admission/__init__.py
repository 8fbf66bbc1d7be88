"""Writes to Kueue's API as kube-apiserver and Kueue's webhooks judge them, and the Configuration of Kueue's manager."""
