"""What fewer judgments do."""
