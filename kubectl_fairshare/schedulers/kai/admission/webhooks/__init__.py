"""The checks of KAI's validating webhooks, one module per kind."""
