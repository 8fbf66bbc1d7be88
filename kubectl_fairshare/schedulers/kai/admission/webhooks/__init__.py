"""What KAI's validating webhooks demand, kind by kind."""
