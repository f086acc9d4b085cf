"""Grammar, records and registry of measures."""
