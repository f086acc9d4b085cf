"""From ranked lists to scores."""
