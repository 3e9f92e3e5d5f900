"""An OpenSpiel game: chance nodes are rolls, decision nodes are plays, for every goal.

    game = OpenSpielGame(Race(Pig(), 20, players=2))
    game = pyspiel.load_game("jeopardice(game=pig,goal=duel,options=target:20)")

Actions are the numbers of plays and chance outcomes the numbers of rolls; OpenSpiel calls only for legal ones. Two players who
play to win get 1 and -1, so that games are zero-sum as most algorithms want them: the win chance is (value + 1) / 2. Alone,
costs such as turns are negative. Races have no longest game, but OpenSpiel wants one: after `horizon` plays a game counts as
drawn (alone: as over). In a `Simultaneous` goal seat 1 does not see what seat 0 chose.

In the text of `load_game` rules and options are written `name:value`, with `/` between them and `+` between several numbers:
`options=sides:8/bust:1+2/target:50`.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyspiel

from jeopardice.adapters.referee import Referee
from jeopardice.errors import RulesError
from jeopardice.family import family_of
from jeopardice.games import game_class, rules_of
from jeopardice.rules.goal import Simultaneous
from jeopardice.rules.text import read_game, read_goal
from jeopardice.types import JsonObject, Spot

HORIZON = 10_000
MOST_CHANCE = 100_000
USUAL: JsonObject = {"game": "pig", "goal": "duel", "options": "", "horizon": HORIZON}


def game_type(players: int | None = None, *, hidden: bool = False, zero_sum: bool = False) -> Any:
    """Return what OpenSpiel wants to know of a kind of game; without a number of players, what all have in common."""
    kinds = pyspiel.GameType
    return kinds(
        short_name="jeopardice", long_name="Push-your-luck dice games", dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION if hidden else kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if zero_sum else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL, max_num_players=players or 8, min_num_players=players or 1,
        provides_information_state_string=False, provides_information_state_tensor=False,
        provides_observation_string=True, provides_observation_tensor=True, parameter_specification=dict(USUAL),
    )  # fmt: skip


class OpenSpielGame(pyspiel.Game):  # type: ignore[misc]
    """A goal as OpenSpiel sees it; `solution` spares solving where best play is asked for."""

    def __init__(self, params: Any = None, *, solution: Any = None, horizon: int = HORIZON) -> None:
        texts: JsonObject = params if isinstance(params, dict) else {}
        is_text = params is None or isinstance(params, dict)
        self.goal = read_text(USUAL | texts) if is_text else params
        self.horizon = int(texts.get("horizon", horizon))
        self.referee = Referee(self.goal, solution)
        match = self.referee.match
        self.is_hidden = isinstance(self.goal, Simultaneous)
        self.is_zero_sum = match.players == 2
        self.wins = match.players > 1 and self.goal.ending.payoff == "win"
        most = 1.0 if self.wins else float(max(part.high for part in self.referee.coding.parts) * self.horizon)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.referee.coding.names), max_chance_outcomes=MOST_CHANCE,
            num_players=match.players, min_utility=-most, max_utility=most,
            utility_sum=0.0 if self.is_zero_sum else None, max_game_length=self.horizon,
        )  # fmt: skip
        kind = game_type(match.players, hidden=self.is_hidden, zero_sum=self.is_zero_sum)
        super().__init__(kind, info, texts)

    def new_initial_state(self) -> "OpenSpielState":
        """The start of a game."""
        return OpenSpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        """One roll for each play at most, and one before the first."""
        return self.horizon + 1

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        """What a seat sees: the numbers of `coding.parts`."""
        return Observer(self.referee)


class OpenSpielState(pyspiel.State):  # type: ignore[misc]
    """A spot of a game, with the number of plays made."""

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        self.referee, self.horizon = game.referee, game.horizon
        self.spreads = game.wins and game.is_zero_sum
        self.spot: Spot = game.referee.match.start()
        self.plays_made = 0

    def current_player(self) -> int:
        """The seat that chooses; or chance, or the end."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        match = self.referee.match
        return int(pyspiel.PlayerId.CHANCE) if match.rolls(self.spot) else match.seat(self.spot)

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.referee.coding.plays(self.spot))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every roll with its chance."""
        weights = list(self.referee.match.rolls(self.spot).values())
        return [(number, weight / sum(weights)) for number, weight in enumerate(weights)]

    def _apply_action(self, action: int) -> None:
        match = self.referee.match
        if rolls := match.rolls(self.spot):
            self.spot = match.after_roll(self.spot, list(rolls)[action])
        else:
            self.plays_made += 1
            self.spot = match.after_play(self.spot, self.referee.coding.plays(self.spot)[action])

    def _action_to_string(self, player: int, action: int) -> str:
        match, words = self.referee.match, family_of(self.referee.goal.game).words
        game = match.game(self.spot)
        if player == pyspiel.PlayerId.CHANCE:
            return f"roll {words.roll(game, list(match.rolls(self.spot))[action])}"
        plays = self.referee.coding.plays(self.spot)
        return words.plays(game, list(plays.values()))[list(plays).index(action)]

    def is_terminal(self) -> bool:
        """Whether the game is over, or as long as it may be."""
        return self.referee.match.is_over(self.spot) or self.plays_made >= self.horizon

    def returns(self) -> list[float]:
        """What every seat got; nothing before the end."""
        if not self.is_terminal():
            return [0.0] * self.referee.match.players
        values = self.referee.standing(self.spot)
        is_won = self.spreads and self.referee.match.is_over(self.spot)
        return [2 * value - 1 for value in values] if is_won else values

    def best_action(self) -> int:
        """The number of the best play, by the solution of the goal; the first of them where best play is mixed."""
        chances = self.referee.best(self.spot)
        return self.referee.coding.number(max(chances, key=lambda play: chances[play]))

    def __str__(self) -> str:
        return self.referee.words(self.spot)


class Observer:
    """What a seat sees, as OpenSpiel's observers show it."""

    def __init__(self, referee: Referee) -> None:
        self.referee = referee
        self.tensor = np.zeros(len(referee.coding.parts), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Fill the tensor."""
        self.tensor[:] = self.referee.coding.observe(state.spot, player)

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """Return the numbers with their names."""
        numbers = zip(self.referee.coding.parts, self.referee.coding.observe(state.spot, player), strict=True)
        return " ".join(f"{part.name}={number}" for part, number in numbers)


def read_text(texts: JsonObject) -> Any:
    """Return the goal that the parameters of `load_game` name.

    >>> read_text({"game": "pig", "goal": "duel", "options": "sides:8/bust:1+2/target:50"}).game
    Pig(sides=8, bust=(1, 2))
    """
    given: dict[str, str] = {}
    for part in filter(None, str(texts["options"]).split("/")):
        name, colon, value = part.partition(":")
        if not colon:
            raise RulesError(f"options are written name:value/name:value, got {texts['options']!r}")
        given[name.replace("-", "_")] = value.replace("+", ",")
    known: Sequence[str] = list(rules_of(game_class(str(texts["game"]))))
    rules = {name: value for name, value in given.items() if name in known}
    options = {name: value for name, value in given.items() if name not in known}
    return read_goal(str(texts["goal"]), read_game(str(texts["game"]), rules), options)


pyspiel.register_game(game_type(), OpenSpielGame)
