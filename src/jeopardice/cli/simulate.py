"""`jeopardice simulate`: many games with random dice."""

import time

import click

from jeopardice.cli.boards import is_board, refuse_stored, simulate_board
from jeopardice.cli.cards import simulate_card
from jeopardice.cli.goals import Asked, goal_command
from jeopardice.cli.output import goal_fields, json_option, print_json, progress_bar, table
from jeopardice.cli.seats import simulate_seats
from jeopardice.cli.solutions import solution_option
from jeopardice.family import shape_of


@goal_command(words_mean="STRATEGY ...", kinds=("turn", "alone", "duel", "race"))
@click.option(
    "--games",
    type=int,
    help="How many turns or games to play (default: a million; 10,000 under house rules and for three and more players).",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Another seed plays other games.")
@click.option("--threads", type=int, help="How many threads to use (default: one per core); the result is the same.")
@solution_option
@json_option
def command(asked: Asked, games: int | None, seed: int, threads: int | None, stored: str | None, as_json: bool) -> None:
    """Play games with random dice, one strategy per player, and count the results.

    \b
    jeopardice simulate pig duel optimal fewest-turns --games 10000000
    jeopardice simulate ten-thousand turn optimal
    jeopardice simulate pig --players 3 --target 50 optimal stop-at-20 stop-at-25
    jeopardice simulate cant-stop duel rule-of-28 glenn-aloi
    """
    from jeopardice.engine.tally import Estimate
    from jeopardice.points.named_strategies import strategies_by_name
    from jeopardice.points.plan import must_roll_on
    from jeopardice.points.simulate import SimulatedTurns, simulate

    if is_board(asked):
        simulate_board(asked, games, seed, threads, stored, as_json)
        return
    if shape_of(asked.goal.game) == "card":
        simulate_card(asked, games, seed, stored, as_json)
        return
    refuse_stored(stored)
    if asked.kind == "race" or (asked.kind != "turn" and (not asked.race.is_plain or must_roll_on(asked.race))):
        simulate_seats(asked, games, seed, as_json)
        return
    games = 1_000_000 if games is None else games
    seats = asked.goal.players
    names = asked.words or ("optimal",) * seats
    started = time.perf_counter()
    with progress_bar("playing") as progress:
        strategies = strategies_by_name(names, asked.goal)
        played = simulate(asked.goal, *strategies, games=games, seed=seed, threads=threads, progress=progress)
    took = time.perf_counter() - started
    estimates: dict[str, Estimate]
    if isinstance(played, SimulatedTurns):
        estimates = {"mean score": played.mean_score, "mean rolls": played.mean_rolls, "bust chance": played.busts}
    else:
        estimates = {"mean turns": played.mean_turns, "mean busts": played.mean_busts}
        if seats > 1:
            estimates = {f"chance that {names[0]} wins, playing first": played.wins} | estimates
    if as_json:
        value = next(iter(estimates.values()))
        means = {name: {"mean": e.mean, "standard_error": e.standard_error} for name, e in estimates.items()}
        result = {"value": value.mean, "standard_error": value.standard_error, "estimates": means, "strategies": names}
        print_json({**result, "games": games, "seed": seed, "seconds": took, **goal_fields(asked)})
        return
    rows = [[name, f"{e.mean:.6f}", f"{e.standard_error:.6f}"] for name, e in estimates.items()]
    note = f"{games:,} {'turns' if asked.kind == 'turn' else 'games'} in {took:.1f} s, seed {seed}"
    table(f"{asked.game} {asked.kind}: {' against '.join(names)}", ["", "mean", "standard error"], rows, note=note)
