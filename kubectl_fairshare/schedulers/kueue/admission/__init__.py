"""How kube-apiserver and Kueue's webhooks judge writes to Kueue's API, and the Configuration of Kueue's manager."""
