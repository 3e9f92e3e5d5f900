"""Exact laws of Can't Stop alone under a strategy: turns, busts, the columns it wins and the columns it chooses.

A turn under fixed decisions is a finite tree folded by its moments: walking it from the opening, in order of what is
gained, gives the chance of every standing that it banks and the chance of a bust. A bust leads back to where the turn
began, so a standing is left after 1 / (1 - bust) turns on average, and one pass over the standings in order of what is
climbed gives every mean; the law of the number of turns follows by letting the distribution of standings move on turn by
turn. Feasible for small boards; larger ones are simulated (`board_simulate.py`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import fsum

import numpy as np
from scipy import sparse

from jeopardice.columns.board_turn import TurnWriter
from jeopardice.columns.graph import board_count
from jeopardice.columns.strategy import BoardMoment, BoardStrategy
from jeopardice.errors import RulesError, TooLargeError
from jeopardice.games.cant_stop import CantStop, Markers, Standing

MOST_BOARDS = 100_000
MOST_MOMENTS = 300_000
"""Moments walked before giving up: some ten seconds. How many there are depends on the strategy."""
TAIL = 1e-13
"""The law of turns is followed until no more than this is left."""


@dataclass(frozen=True)
class TurnOutcome:
    """One turn: the chance of every standing it banks, of a bust, the mean rolls, mean plays that climb a column."""

    banked: Mapping[Standing, float] = field(repr=False)
    bust: float
    rolls: float
    chosen: Mapping[int, float] = field(repr=False)
    moments: int


@dataclass(frozen=True)
class BoardLaw:
    """A whole game: `turns` is the law of their number, the others are means per game, by column where they say so.

    `won[column]` is the chance that the column is completed at the end, `chosen[column]` the mean number of plays that
    climb it, lost ones included.
    """

    strategy: str
    mean_turns: float
    mean_busts: float
    mean_rolls: float
    won: Mapping[int, float]
    chosen: Mapping[int, float]
    turns: Mapping[int, float] = field(repr=False)

    @property
    def variance_turns(self) -> float:
        """The variance of the number of turns."""
        return fsum(chance * (turns - self.mean_turns) ** 2 for turns, chance in self.turns.items())


def turn_outcome(writer: TurnWriter, strategy: BoardStrategy, standing: Standing) -> TurnOutcome:
    """Return what comes of one turn from a standing."""
    game, total = writer.game, writer.game.sides**writer.game.dice
    by_gain: dict[int, dict[tuple[Markers, int], float]] = {0: {((), 0): 1.0}}
    banked: dict[Standing, float] = {}
    chosen = dict.fromkeys(game.columns, 0.0)
    bust = rolls = 0.0
    moments = 0
    for gain in range(sum(game.lengths)):
        for (markers, rolled), chance in by_gain.pop(gain, {}).items():
            rolls += chance
            moments += 1
            moment = BoardMoment(game, (standing,), 0, markers, rolled)
            offers = writer.offers(standing, markers)
            bust += chance * (total - sum(weight for weight, _ in offers)) / total
            for weight, climbs in offers:
                plays = {writer.after(standing, markers, climb): climb for climb in climbs}
                picked = strategy.chosen(moment, list(plays))
                share = chance * weight / total / len(picked)
                for after in picked:
                    for column, _ in plays[after]:
                        chosen[column] += share
                    next_rolled = min(rolled + 1, strategy.remembers_rolls)
                    stop = 1.0
                    if not game.is_won(standing, after):
                        stop = strategy.stop_chance(replace(moment, markers=after, rolls=next_rolled))
                    if stop > 0:
                        reached = game.bank(standing, after)
                        banked[reached] = banked.get(reached, 0.0) + share * stop
                    if stop < 1:
                        later = by_gain.setdefault(gain + sum(spaces for _, spaces in plays[after]), {})
                        later[after, next_rolled] = later.get((after, next_rolled), 0.0) + share * (1 - stop)
    # what is left has every marker at the top: one more roll is a bust
    for left in by_gain.values():
        bust += sum(left.values())
        rolls += sum(left.values())
    return TurnOutcome(banked, bust, rolls, chosen, moments)


def board_law(game: CantStop, strategy: BoardStrategy) -> BoardLaw:
    """Return the exact law of a game alone under a strategy."""
    if board_count(game) > MOST_BOARDS:
        raise TooLargeError(
            f"{game} has {board_count(game):,} boards, exact laws are for at most {MOST_BOARDS:,}; simulate it"
        )
    writer = TurnWriter(game)
    arrives: dict[Standing, float] = {game.opening: 1.0}
    outcomes: dict[Standing, TurnOutcome] = {}
    turns: dict[Standing, float] = {}
    waiting: dict[int, list[Standing]] = {0: [game.opening]}
    walked = 0
    for climbed in range(sum(game.lengths) + 1):
        for standing in waiting.pop(climbed, []):
            if game.is_won(standing):
                continue
            outcome = outcomes[standing] = turn_outcome(writer, strategy, standing)
            walked += outcome.moments
            if walked > MOST_MOMENTS:
                raise TooLargeError(
                    f"{strategy.name} meets more than {MOST_MOMENTS:,} moments of {game}; simulate it instead"
                )
            left = fsum(outcome.banked.values())
            if left <= 0:
                raise RulesError(f"{strategy.name} never banks from {standing}, so its games do not end; change it")
            turns[standing] = arrives[standing] / left
            for after, chance in outcome.banked.items():
                if after not in arrives:
                    arrives[after] = 0.0
                    waiting.setdefault(sum(after), []).append(after)
                arrives[after] += turns[standing] * chance
    ended = [standing for standing in arrives if game.is_won(standing)]
    won = {c: fsum(arrives[s] for s in ended if s[c - 2] == game.length(c)) for c in game.columns}
    return BoardLaw(
        strategy.name,
        fsum(turns.values()),
        fsum(turns[s] * outcomes[s].bust for s in turns),
        fsum(turns[s] * outcomes[s].rolls for s in turns),
        won,
        {c: fsum(turns[s] * outcomes[s].chosen[c] for s in turns) for c in game.columns},
        _law_of_turns(game, outcomes),
    )


def _law_of_turns(game: CantStop, outcomes: Mapping[Standing, TurnOutcome]) -> dict[int, float]:
    """Let the distribution of standings move on, turn by turn, until nearly every game has ended."""
    index = {standing: number for number, standing in enumerate(outcomes)}
    rows, columns, chances = [], [], []
    ends = np.zeros(len(index))
    for standing, outcome in outcomes.items():
        at = index[standing]
        for after, chance in ((standing, outcome.bust), *outcome.banked.items()):
            if game.is_won(after):
                ends[at] += chance
            else:
                rows.append(index[after])
                columns.append(at)
                chances.append(chance)
    moves = sparse.csr_array((chances, (rows, columns)), shape=(len(index), len(index)))
    here = np.zeros(len(index))
    here[index[game.opening]] = 1.0
    law: dict[int, float] = {}
    while here.sum() > TAIL:
        law[len(law) + 1] = float(ends @ here)
        here = np.asarray(moves @ here)
    return law
