"""`jeopardice serve`: the web page on this machine."""

import click

from jeopardice.cli.output import json_option, print_json


@click.command()
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="The address to listen on; other than 127.0.0.1, visitors need a token.",
)
@click.option(
    "--port", default=8123, show_default=True, type=click.IntRange(0, 65535), help="The port; 0 takes a free one."
)
@click.option("--token", help="The token for visitors from other machines (default: a random one).")
@click.option("--allow-host", multiple=True, metavar="NAME", help="Another name that this server answers to.")
@click.option("--embed", is_flag=True, help="Let other sites show positions of this server in a frame (/embed).")
@click.option("--no-browser", is_flag=True, help="Do not open the page.")
@json_option
def command(
    host: str, port: int, token: str | None, allow_host: tuple[str, ...], no_browser: bool, embed: bool, as_json: bool
) -> None:
    """Serve the page: play, report, advise, explore, drill, rules; and the same as JSON."""
    from jeopardice.web.serve import serve

    def ready(links: list[str]) -> None:
        if as_json:
            print_json({"url": links[0], "urls": links})
            return
        click.echo(f"jeopardice is at {links[0]}   (Ctrl-C stops it)")
        for link in links[1:]:
            click.echo(f"on other machines: {link}")

    serve(host, port, token=token, names=allow_host, browser=not no_browser, ready=ready, embed=embed)
