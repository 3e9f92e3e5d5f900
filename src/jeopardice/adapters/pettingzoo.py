"""A PettingZoo environment (AEC): every seat is an agent, `seat_0` begins.

    env = pettingzoo_env(Race(Pig(), 100, players=2))
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        env.step(None if terminated or truncated else env.unwrapped.best_action())

An observation is a dict: `observation`, a row of whole numbers from the agent's own view, and `action_mask`. `pettingzoo_env`
ends a game at the first action that cannot be played, with -1 for the agent that tried it, as PettingZoo's own classic
games do; `PettingZooEnv` itself refuses such an action with a ValueError.
"""

from random import Random
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from jeopardice.adapters.referee import Referee
from jeopardice.rules.coding import Coding
from jeopardice.rules.goal import Goal
from jeopardice.types import JsonObject, Spot


class PettingZooEnv(AECEnv):  # type: ignore[misc]
    """A goal with an agent in every seat; rewards sum to what the goal counts for that seat."""

    metadata: ClassVar[JsonObject] = {"render_modes": ["ansi"], "name": "jeopardice_v0", "is_parallelizable": False}

    def __init__(self, goal: Goal, *, solution: Any = None, render_mode: str | None = None) -> None:
        super().__init__()
        self.referee, self.render_mode = Referee(goal, solution), render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(self.referee.match.players)]
        parts = self.coding.parts
        low, high = np.array([part.low for part in parts]), np.array([part.high for part in parts])
        count = len(self.coding.names)
        row, mask = spaces.Box(low, high, dtype=np.int64), spaces.Box(0, 1, (count,), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": row, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(count) for agent in self.possible_agents}

    @property
    def coding(self) -> Coding:
        """What the numbers mean."""
        return self.referee.coding

    def observation_space(self, agent: str) -> Any:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: JsonObject | None = None) -> None:
        """Begin a game."""
        self._dice = Random(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, JsonObject] = {agent: {} for agent in self.agents}
        self._move_to(self.referee.match.start())

    def step(self, action: Any) -> None:
        """Make the play of the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        play = self.coding.plays(self.spot).get(int(action))
        if play is None:
            raise ValueError(f"an action is one of those whose action_mask is 1, got {action!r} for {agent}")
        before = self.referee.standing(self.spot)
        self._cumulative_rewards[agent] = 0.0
        self._move_to(self.referee.match.after_play(self.spot, play))
        after = self.referee.standing(self.spot)
        self.rewards = {
            name: after[seat] - before[seat] for seat, name in enumerate(self.possible_agents) if name in self.agents
        }
        self._accumulate_rewards()

    def observe(self, agent: str) -> JsonObject:
        """Return the spot from an agent's own view; the mask is empty unless the agent chooses."""
        seat, spot = self.possible_agents.index(agent), self.spot
        chooses = not self.referee.match.is_over(spot) and self.referee.match.seat(spot) == seat
        mask = self.coding.mask(spot) if chooses else [0] * len(self.coding.names)
        row = np.array(self.coding.observe(spot, seat), np.int64)
        return {"observation": row, "action_mask": np.array(mask, np.int8)}

    def best_action(self) -> int:
        """The number of the best play, by the solution of the goal."""
        return self.referee.best_number(self.spot, self._dice)

    def render(self) -> Any:
        """Return the position in words."""
        return self.referee.words(self.spot) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is held open."""

    def _move_to(self, spot: Spot) -> None:
        self.spot: Spot = self.referee.fall(spot, self._dice)
        self.agent_selection = self.possible_agents[self.referee.match.seat(self.spot)]
        if self.referee.match.is_over(self.spot):
            self.terminations = dict.fromkeys(self.agents, True)


def pettingzoo_env(goal: Goal, *, solution: Any = None, render_mode: str | None = None) -> Any:
    """Return the environment in PettingZoo's usual wrappers: illegal actions end the game, calls come in order."""
    env = PettingZooEnv(goal, solution=solution, render_mode=render_mode)
    return wrappers.OrderEnforcingWrapper(wrappers.TerminateIllegalWrapper(env, illegal_reward=-1))
