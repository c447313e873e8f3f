"""What goes over the line: messages, how they are read, and which text may be shown to others."""
