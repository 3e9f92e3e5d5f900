"""What the nouns are to a type checker: arrays, plain data, and what every family fills in with kinds of its own.

`Game`, `Spot`, `MatchPlay` and `MatchRoll` are opaque to everything outside a family: commands, tutor and web carry them
from one question of a match to the next and never look inside. A family's own modules use its own kinds (`PointsSpot`).
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Array = NDArray[Any]
"""An array of numbers of any kind."""
Blocks = Mapping[str, Array]
"""The arrays of a saved solution, by name."""

Json = Any
"""Plain data: numbers, texts, booleans, None, and lists and dictionaries of them."""
JsonObject = dict[str, Any]
"""Plain data with a name for each part; a row of a table, for example."""
Keywords = Mapping[str, Any]
"""Parts by name that somebody gave: a position, options, what a manifest says. The code that uses them checks them."""

Number = Fraction | float | int
"""A value: a Fraction where a goal is solved exactly."""
Rational = Any
"""A rational number of python-flint (`fmpq`), which ships no types; infinity is a float."""

Vertex = Any
"""A position of a game written out, as its author names it: any hashable value."""
Given = Any
"""What somebody gave for a part of a position, before it is checked."""
Real = Any
"""A number in a calculation that works for floats and for rationals alike."""

Game = Any
"""The rules of a turn, as a family knows them."""
Spot = Any
"""A spot of a match: an immutable, hashable value."""
MatchPlay = Any
"""A play as a match takes it: an immutable, hashable value."""
MatchRoll = Any
"""How the dice fell, as a match takes it."""
