import pytest

from tests.playthrough import GAMES, GOLDEN, playthrough


@pytest.mark.parametrize("name", GAMES)
def test_a_seeded_game_is_played_as_it_always_was(name):
    """A difference is either a mistake or a change to be read: python -m tests.playthrough writes the files again."""
    assert playthrough(GAMES[name]) == (GOLDEN / f"{name}.txt").read_text()
