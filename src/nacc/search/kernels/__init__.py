"""The search's compiled code, one file a part; all is compiled anew when any of it changes."""
