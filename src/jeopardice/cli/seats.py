"""Races of three and more players on the command line: the values of all seats, a strategy per seat, the estimate."""

import time
from typing import TYPE_CHECKING

import click

from jeopardice.cli.goals import Asked
from jeopardice.cli.output import duration, goal_fields, number, print_json, progress_bar, say, table
from jeopardice.types import JsonObject

if TYPE_CHECKING:
    from jeopardice.points.solution import ManySolution
    from jeopardice.points.solution.many import OtherEquilibria

LONG_SECONDS = 10
USUAL_GAMES = 10_000


def say_work(asked: Asked, threads: int | None = None) -> None:
    """Say on stderr what a long solve will take, before it begins."""
    from jeopardice.engine.work import free_memory
    from jeopardice.family import family_of

    family = family_of(asked.goal.game)
    family.check(asked.goal)
    work = family.work(asked.goal, threads)
    if work.seconds > LONG_SECONDS and work.bytes < free_memory():
        words = f"{work.anchors:,} positions, about {duration(work.seconds)} and as long for the certificate"
        click.echo(f"jeopardice: {words}, {work.bytes / 1e6:,.0f} MB of memory", err=True)


def several_fields(solution: "ManySolution") -> JsonObject:
    """Return what JSON says of an equilibrium besides its values."""
    return {
        "deviation_gain": solution.deviation_gain,
        "indifferent": solution.indifferent,
        "mixed": [place._asdict() for place in solution.mixed],
    }


def other_words(found: "OtherEquilibria") -> str:
    """Say where other equilibria were found, and how far apart."""
    if not found.cycles:
        return "The search from other beginnings found no other equilibrium."
    return (
        f"The search from other beginnings found another equilibrium at {found.cycles:,} combinations of scores: chances differ "
        f"by up to {found.apart:.1g} there, and by up to {found.apart_at_start:.1g} at the start."
    )


def show_several(solution: "ManySolution", full_table: bool) -> None:
    """Print everybody's chances, what the bound means, and where play is mixed."""
    rows = [[str(seat + 1), number(value, 12)] for seat, value in enumerate(solution.values)]
    table("chance to win by the order of play", ["player", "chance"], rows)
    say("Best play is an equilibrium: by another strategy no player gains more than the bound.")
    mixed = solution.mixed
    if not mixed:
        click.echo("No position needs mixed play.")
        return
    say(f"Play is mixed at {len(mixed)} positions{'' if full_table else '; --table lists them'}.")
    if full_table:
        rows = [[str(m.mine), ", ".join(map(str, m.theirs)), number(m.share, 6)] for m in mixed]
        table("mixed positions", ["mine", "theirs, in the order of play", "share of the cautious plan"], rows)


def compare_seats(asked: Asked, exploit: bool, as_json: bool) -> None:
    """Play one strategy per seat, exactly, in every order of seats."""
    from jeopardice.analysis.several import all_seatings, seat_chances
    from jeopardice.points.named_strategies import strategies_by_name

    goal, names = asked.race, asked.words or ("optimal",) * asked.goal.players
    check_seats(asked, names)
    started = time.perf_counter()
    with progress_bar(f"comparing in {asked.game}") as progress:
        strategies = strategies_by_name(names, goal)
        result = seat_chances(goal, *strategies)
        seatings = [] if goal.opponents else all_seatings(goal, strategies, progress=progress)
        replies = []
        for seat in range(goal.players) if exploit else ():
            others = [None if seat == s else strategy for s, strategy in enumerate(strategies)]
            replies.append(seat_chances(goal, *others).values[seat])
    even = [
        sum(values[order.index(number)] for order, values in seatings) / len(seatings) for number in range(len(names))
    ] if seatings else []  # fmt: skip
    took = time.perf_counter() - started
    if as_json:
        orders = [{"strategies": [names[i] for i in order], "values": values} for order, values in seatings]
        answer = {"strategies": names, "values": result.values, "error_bound": result.error_bound, "even": even}
        more = {"best_replies": replies} if exploit else {}
        print_json({**answer, **more, "seatings": orders, "seconds": took, **goal_fields(asked)})
        return
    columns = ["seat", "strategy", "chance to win", *(["if the seats are drawn"] if even else [])]
    columns += ["best response to the others"] if exploit else []
    rows = []
    for seat, name in enumerate(names):
        row = [str(seat + 1), name, number(result.values[seat], 8)]
        row += [number(even[seat], 8)] if even else []
        rows.append(row + ([number(replies[seat], 8)] if exploit else []))
    note = f"± {result.error_bound:.1e} (certified), {took:.1f} s"
    table(f"{asked.game} for {goal.players}, exactly", columns, rows, note=note)


def simulate_seats(asked: Asked, games: int | None, seed: int, as_json: bool) -> None:
    """Play races of several with random dice."""
    from jeopardice.analysis import several
    from jeopardice.points.named_strategies import strategies_by_name

    goal, names = asked.race, asked.words or ("optimal",) * asked.goal.players
    check_seats(asked, names)
    games = USUAL_GAMES if games is None else games
    started = time.perf_counter()
    with progress_bar("playing") as progress:
        strategies = strategies_by_name(names, goal)
        played = several.simulate_seats(goal, *strategies, games=games, seed=seed, progress=progress)
    took = time.perf_counter() - started
    estimates = {f"chance that {name} wins at seat {seat + 1}": played.wins[seat] for seat, name in enumerate(names)}
    estimates["mean turns"] = played.mean_turns
    if as_json:
        means = {name: {"mean": e.mean, "standard_error": e.standard_error} for name, e in estimates.items()}
        first = played.wins[0]
        result = {"value": first.mean, "standard_error": first.standard_error, "values": [e.mean for e in played.wins]}
        result |= {"estimates": means, "strategies": names, "games": games, "seed": seed, "seconds": took}
        print_json({**result, **goal_fields(asked)})
        return
    rows = [[name, f"{e.mean:.6f}", f"{e.standard_error:.6f}"] for name, e in estimates.items()]
    note = f"{games:,} games in {took:.1f} s, seed {seed}"
    table(f"{asked.game} race: {' against '.join(names)}", ["", "mean", "standard error"], rows, note=note)


def check_seats(asked: Asked, names: tuple[str, ...]) -> None:
    """Refuse another number of strategies than there are seats."""
    if len(names) != asked.goal.players:
        raise click.UsageError(
            f"name one strategy for each of the {asked.goal.players} seats, in the order of play, got {len(names)}: "
            f"jeopardice compare {asked.game} race --players {asked.goal.players} "
            f"{' '.join(['optimal'] * asked.goal.players)}"
        )
