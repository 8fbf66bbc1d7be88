"""Fair sharing, of quota and of admission."""
