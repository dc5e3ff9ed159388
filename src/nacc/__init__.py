"""nacc: say it in the space there is."""

__version__ = "0.1.0"
