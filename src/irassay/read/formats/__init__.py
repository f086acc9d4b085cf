"""One file per input format; `irassay.read.registry` finds them."""
