"""What is asked: functions of arrays on engine primitives. No files, no names, no randomness of their own."""
