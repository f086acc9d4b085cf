"""What varies: each a frozen plan that the engine turns into integers where it runs."""
