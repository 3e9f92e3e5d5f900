"""The command `jeopardice`, also as `python -m jeopardice`."""

import sys


def main() -> None:
    """Run the command line; Ctrl-C is one line even while the command is being loaded."""
    try:
        from jeopardice.cli import main

        main()
    except KeyboardInterrupt:
        sys.stderr.write("\njeopardice: stopped\n")
        sys.exit(130)


if __name__ == "__main__":
    main()
