"""A `Result` for readers: one file per format, from tables to text or bytes. Only `write` meets the world."""
