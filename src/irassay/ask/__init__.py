"""Questions: functions of arrays, with their kernels. No files, no names, no random numbers of their own."""
