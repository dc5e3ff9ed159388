"""What a length is, and how people write one."""
