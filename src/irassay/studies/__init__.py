"""One package per study: its registration, a frozen dataclass whose fields are its options, and `run` -> `Result`."""
