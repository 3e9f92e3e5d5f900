"""The few errors of our own; each is also the built-in error that it is.

A message says what was needed, what came and what to do, in one line.
"""

MOST_CHARACTERS = 600
NO_MEMORY = "this needs more memory than is free; choose fewer dice or sides, or a smaller target"


class RulesError(ValueError):
    """A set of rules that no game can be played with: dice that cannot bust, a mode without rolls."""


class PositionError(ValueError):
    """A position, roll or play that cannot occur in the game that was solved."""


class TooLargeError(ValueError):
    """A question that would not finish or fit; the message names the limit and what to do instead."""


class StaleSolution(ValueError):
    """A stored solution that belongs to other rules, another goal or another format."""


class UnknownName(ValueError):
    """A name of a strategy, an opponent or a rule set that nothing goes by; the message lists the names that exist."""


def one_line(message: str) -> str:
    """Return a message as one line; where what came is very long, its middle is left out.

    >>> one_line("a target is a number,\\n got " + "9" * 5000 + "; choose one")[-30:]
    '999999999999999999; choose one'
    """
    words = " ".join(message.split())
    half = MOST_CHARACTERS // 2
    return words if len(words) <= MOST_CHARACTERS else f"{words[:half]} ... {words[-half:]}"
