"""Every study at once."""
