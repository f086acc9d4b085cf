"""Which measures can tell systems apart."""
