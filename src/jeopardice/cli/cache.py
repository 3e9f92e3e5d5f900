"""`jeopardice cache`: the solutions of earlier solves, and how to delete them."""

import click

from jeopardice.cli.output import json_option, print_json


@click.command()
@click.option("--clear", is_flag=True, help="Delete all cached solutions.")
@json_option
def command(clear: bool, as_json: bool) -> None:
    """List the solutions that are cached on disk, so that the next answer comes at once, or delete them.

    JEOPARDICE_CACHE names another directory, JEOPARDICE_CACHE=off turns the cache off, and so does --no-cache for one
    command; JEOPARDICE_CACHE_MB is its limit in megabytes.
    """
    from jeopardice.cache import cached_directory, cached_solutions, clear_cache, most_bytes

    cached = cached_solutions()
    cleared = clear_cache() if clear else 0
    if as_json:
        about = {"directory": str(cached_directory()), "most_bytes": most_bytes(), "cleared": cleared}
        left = {} if clear else {path.name: size for path, size in cached.items()}
        print_json({**about, "solutions": left, "bytes": sum(left.values())})
        return
    size = f"{sum(cached.values()) / 1e6:,.1f} of at most {most_bytes() / 1e6:,.0f} MB"
    solutions = f"{len(cached)} solution{'' if len(cached) == 1 else 's'}"
    click.echo(f"{solutions} {'deleted' if clear else 'cached'}, {size}, in {cached_directory()}")
