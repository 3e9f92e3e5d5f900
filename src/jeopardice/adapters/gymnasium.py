"""A Gymnasium environment: one seat learns, policies play the other seats.

    env = GymnasiumEnv(Race(Pig(), 100, players=2))          # the other seat plays best
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(env.best_action())

An observation is a row of whole numbers, named in `env.coding.parts`. An action is the number of a play, named in
`env.coding.names`; `info["action_mask"]` (and `env.action_masks()`, as some libraries call it) says which can be played.
Rewards sum to what the goal counts: points, minus turns, or 1 for a win. An action that cannot be played changes nothing,
costs `illegal_reward`, and is told in `info["illegal_action"]`.

`gymnasium.make("jeopardice.adapters.gymnasium:jeopardice/Goal-v0", goal=goal)` makes one by its name.
"""

from random import Random
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from jeopardice.adapters.referee import Referee
from jeopardice.analysis.policy import drawn
from jeopardice.rules.coding import Coding
from jeopardice.rules.goal import Goal
from jeopardice.types import JsonObject, Spot

Observation = NDArray[np.int64]


class GymnasiumEnv(gymnasium.Env[Observation, np.int64]):
    """A goal played from one seat; `opponent` plays all others: a policy in any form, or one for each in a tuple."""

    metadata: JsonObject = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 (as Gymnasium declares it)

    def __init__(
        self,
        goal: Goal,
        *,
        seat: int = 0,
        opponent: Any = "optimal",
        solution: Any = None,
        illegal_reward: float = -1.0,
        render_mode: str | None = None,
    ) -> None:
        self.referee = Referee(goal, solution)
        players = self.referee.match.players
        if seat not in range(players):
            raise ValueError(f"seat lies below {players}, the number of players, got seat={seat!r}")
        self.seat, self.illegal_reward, self.render_mode = seat, illegal_reward, render_mode
        given = opponent if isinstance(opponent, tuple) else (opponent,) * (players - 1)
        others = [each for each in range(players) if each != seat]
        self._policies = {each: self.referee.policy(policy, each) for each, policy in zip(others, given, strict=True)}
        coding = self.coding
        low, high = ([part.low for part in coding.parts], [part.high for part in coding.parts])
        self.observation_space = spaces.Box(np.array(low), np.array(high), dtype=np.int64)
        self.action_space = spaces.Discrete(len(coding.names))
        self.spot: Spot = self.referee.match.start()
        self._dice = Random()

    @property
    def coding(self) -> Coding:
        """What the numbers mean."""
        return self.referee.coding

    def reset(self, *, seed: int | None = None, options: JsonObject | None = None) -> tuple[Observation, JsonObject]:
        """Begin a game; `options={"position": ...}` begins at a position as `match.from_json` reads it."""
        super().reset(seed=seed)
        self._dice = Random(int(self.np_random.integers(2**62)))
        match, position = self.referee.match, (options or {}).get("position")
        self.spot = self._until_mine(match.start() if position is None else match.from_json(position))
        return self._observation(), self._about()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, JsonObject]:
        """Make a play; the dice and the other seats follow until this seat chooses again or the game is over."""
        play = self.coding.plays(self.spot).get(int(action))
        if play is None:
            return self._observation(), self.illegal_reward, False, False, self._about() | {"illegal_action": True}
        before, match = self.referee.standing(self.spot)[self.seat], self.referee.match
        self.spot = self._until_mine(match.after_play(self.spot, play))
        reward = self.referee.standing(self.spot)[self.seat] - before
        return self._observation(), reward, match.is_over(self.spot), False, self._about()

    def action_masks(self) -> NDArray[np.int8]:
        """Which actions can be played now: 1 or 0."""
        return np.array(self.coding.mask(self.spot), np.int8)

    def best_action(self) -> int:
        """The number of the best play, by the solution of the goal."""
        return self.referee.best_number(self.spot, self._dice)

    def render(self) -> Any:
        """Return the position in words."""
        return self.referee.words(self.spot) if self.render_mode == "ansi" else None

    def _until_mine(self, spot: Spot) -> Any:
        match = self.referee.match
        while True:
            spot = self.referee.fall(spot, self._dice)
            if match.is_over(spot) or (seat := match.seat(spot)) == self.seat:
                return spot
            spot = match.after_play(spot, drawn(self._policies[seat](spot), self._dice))

    def _observation(self) -> Observation:
        return np.array(self.coding.observe(self.spot, self.seat), np.int64)

    def _about(self) -> JsonObject:
        return {"action_mask": self.action_masks(), "spot": self.spot}


gymnasium.register(id="jeopardice/Goal-v0", entry_point="jeopardice.adapters.gymnasium:GymnasiumEnv")
