"""What Kueue's validating webhooks demand, kind by kind."""
