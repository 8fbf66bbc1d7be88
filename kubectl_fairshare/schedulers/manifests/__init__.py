"""What manifests of new work say before any scheduler sees it, whatever that scheduler is."""
