"""What irassay does for users of other tools: one file each, imported on use."""
