"""`python -m jeopardice`: the command line."""

from jeopardice.cli import main

if __name__ == "__main__":
    main()
