"""`jeopardice cache`: what is kept of earlier solves, and how to delete it."""

import click

from jeopardice.cli.show import json_option, print_json


@click.command()
@click.option("--clear", is_flag=True, help="Delete all cached solutions.")
@json_option
def command(clear: bool, as_json: bool) -> None:
    """List the solutions that are cached on disk, so that the next answer comes at once, or delete them.

    JEOPARDICE_CACHE names another directory, JEOPARDICE_CACHE=off turns the cache off, and so does --no-cache for one
    command; JEOPARDICE_CACHE_MB is its limit in megabytes.
    """
    from jeopardice.kept import clear_kept, kept_directory, kept_solutions, most_bytes

    kept = kept_solutions()
    cleared = clear_kept() if clear else 0
    if as_json:
        about = {"directory": str(kept_directory()), "most_bytes": most_bytes(), "cleared": cleared}
        left = {} if clear else {path.name: size for path, size in kept.items()}
        print_json({**about, "solutions": left, "bytes": sum(left.values())})
        return
    size = f"{sum(kept.values()) / 1e6:,.1f} of at most {most_bytes() / 1e6:,.0f} MB"
    solutions = f"{len(kept)} solution{'' if len(kept) == 1 else 's'}"
    click.echo(f"{solutions} {'deleted' if clear else 'kept'}, {size}, in {kept_directory()}")
