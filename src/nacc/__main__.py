"""`python -m nacc`: the same as `nacc`, for torchrun and where the command is not on the path."""

from nacc.apps.cli import main

if __name__ == "__main__":
    main()
