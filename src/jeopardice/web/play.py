"""Games in progress, their reports, and drills.

A game is decided by its goal, its seed, the opponent and what the player chose, so a link holds a whole game: `acts` lists
the number of each choice the player made, in the order the choices are offered. The server keeps games in memory only to
answer quickly; one it has forgotten is played again from its link.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from secrets import token_hex

from jeopardice.errors import PositionError
from jeopardice.solution import Judge
from jeopardice.tutor import Bot, Session, advance, why
from jeopardice.tutor.report import report
from jeopardice.tutor.session import option_json
from jeopardice.types import JsonObject
from jeopardice.web.records import Records
from jeopardice.web.seats import aim_words, outcome_words, seat_names, step_words

MOST_STEPS = 20_000
SEED_BITS = 48


class MovedOnError(ValueError):
    """The game is not where the request thought it was."""


@dataclass(frozen=True)
class Table:
    """A game being played: who sits where, how far it is, and what the player chose so far."""

    id: str
    words: JsonObject
    session: Session
    bots: tuple[Bot | None, ...]
    you: int
    title: str = ""
    acts: tuple[int, ...] = ()

    def state(self, since: int = 0) -> JsonObject:
        """Return all that a page shows: this instant, and the steps from `since` on."""
        session, measure = self.session, self.session.judge.measure
        table = session.words.table(session.match, session.spot)
        return {
            "id": self.id,
            **self.words,
            "title": self.title,
            "aim": aim_words(session.judge.goal, table, session.match.players),
            "names": self.names,
            "people": [seat for seat, bot in enumerate(self.bots) if bot is None],
            "outcome": outcome_words(session, self.names),
            "table": table,
            "is_estimate": measure.is_estimate,
            "spread": measure.spread,
            "seed": self.session.seed,
            "acts": ".".join(map(str, self.acts)),
            "you": self.you,
            "goal_words": repr(self.session.judge.goal),
            "marks": measure.thresholds(),
            "initial": float(self.session.initial[0]),
            "initials": [float(value) for value in self.session.initial],
            **self.session.snapshot(),
            "choices": self.choices(),
            "since": since,
            "news": [self._step(number) for number in range(since, len(self.session.steps))],
        }

    @property
    def names(self) -> list[str]:
        """What everybody at the table is called."""
        return seat_names(self.bots, self.you)

    def choices(self) -> list[JsonObject]:
        """Return what can be chosen, in an order that gives nothing away, each with its button."""
        session = self.session
        plays = [option.match_play for option in session.options]
        buttons = session.words.buttons(session.match, session.spot, plays)
        return [option_json(option) | button for option, button in zip(session.options, buttons, strict=True)]

    def judged_by(self, judge: Judge) -> "Table":
        """Return the same game with the values of another judge, such as a solution that has become known."""
        session = Session.replay(judge, self.session.events, seed=self.session.seed)
        return replace(self, session=session)

    def act(self, play: str) -> "Table":
        """Make the player's choice and go on until the player chooses again."""
        option = self.session.option(play)
        number = self.session.options.index(option)
        return replace(self, session=_onward(self.session.choose(option), self.bots), acts=(*self.acts, number))

    def undo(self) -> "Table":
        """Take the last choice back."""
        seated = replace(self, session=Session.new(self.session.judge, seed=self.session.seed), acts=())
        return seated.begun(self.acts[:-1])

    def begun(self, acts: Sequence[int]) -> "Table":
        """Return the game from its beginning, the player's choices made again."""
        table = replace(self, session=_onward(self.session, self.bots))
        for act in acts:
            options = table.session.options
            if not 0 <= act < len(options):
                raise PositionError(
                    f"choice {act} of this link is not one of the {len(options)} possible ones; the link is damaged"
                )
            table = table.act(options[act].play)
        return table

    def why(self) -> str:
        """Return in a sentence why the best choice is best."""
        return why(self.session)

    def weighed(self) -> list[JsonObject]:
        """Return the choices, best first, with what each is worth and loses."""
        session = self.session
        return [
            {
                **option_json(option, rank),
                "loss": float(session.loss(option)),
                "mark": session.judge.measure.mark(session.loss(option)),
            }
            for rank, option in enumerate(session.ranked)
        ]

    def warning(self, play: str) -> JsonObject | None:
        """Return what a tutor says before a costly choice."""
        option = self.session.option(play)
        loss, measure = self.session.loss(option), self.session.judge.measure
        mark = measure.mark(loss)
        if mark is None:
            return None
        words = f"“{play}” loses {measure.loss_words(loss)}."
        return {"play": play, "loss": float(loss), "mark": mark, "words": words, "why": why(self.session, option)}

    def keep(self, records: Records) -> None:
        """Put a finished game on record."""
        result = report(self.session)
        luck, loss = float(result.luck_of(self.you)), float(result.loss(self.you))
        won = None if not result.winners or len(result.luck) == 1 else self.you in result.winners
        state = {
            key: value
            for key, value in self.state().items()
            if key in (*self.words, "seed", "acts", "you", "goal_words")
        }
        records.add_game(
            self.id, str(self.words["game"]), repr(self.session.judge.goal), won=won, luck=luck, loss=loss,
            record={**self.session.record(), **state},
        )  # fmt: skip

    def _step(self, number: int) -> JsonObject:
        session = self.session
        step = session.steps[number]
        after = session.steps[number + 1].spot if number + 1 < len(session.steps) else session.spot
        return {
            **step.event,
            "words": step_words(session, number, self.names[step.seat]),
            "loss": float(step.loss),
            "mark": None if step.option is None or step.is_forced else session.judge.measure.mark(step.loss),
            "forced": step.option is not None and step.is_forced,
            "value": float(step.after[0]),
            "values": [float(value) for value in step.after],
            "position": session.match.to_json(after),
            "was": session.match.to_json(step.spot),
            "kept": [] if step.option is None else list(step.option.kept),
            "stops": step.option is not None and step.option.stops,
        }


def begin(
    words: JsonObject,
    title: str,
    judge: Judge,
    bots: tuple[Bot | None, ...],
    you: int,
    seed: int,
    acts: Sequence[int],
) -> Table:
    """Return a game from its beginning, the player's choices so far made again."""
    session = Session.new(judge, seed=seed)
    return Table(token_hex(8), words, session, bots, you, title).begun(acts)


def read_acts(text: str) -> list[int]:
    """Return the choices that a link lists."""
    words = text.split(".") if text else []
    if not all(word.isascii() and word.isdigit() and len(word) <= 4 for word in words):
        raise PositionError(f"acts are numbers with dots between them, like 0.1.1, got {text!r}")
    return [int(word) for word in words]


def _onward(session: Session, bots: tuple[Bot | None, ...]) -> Session:
    return advance(session, bots, most_steps=MOST_STEPS)


class Tables:
    """The games in progress, the newest kept; safe to use from several threads."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._lock = threading.Lock()

    def put(self, table: Table, *, steps_seen: int | None = None) -> Table:
        """Keep a game; `steps_seen` refuses to overwrite what another tab has played meanwhile."""
        with self._lock:
            known = self._tables.get(table.id)
            if steps_seen is not None and known is not None and len(known.session.steps) != steps_seen:
                raise MovedOnError("this game has been played on in another tab; load the page again")
            self._tables[table.id] = table
            self._tables.move_to_end(table.id)
            while len(self._tables) > self.most:
                self._tables.popitem(last=False)
        return table

    def get(self, name: str) -> Table | None:
        """Return a game by its id."""
        with self._lock:
            return self._tables.get(name)
