"""The checks of Kueue's validating webhooks, one module per kind."""
