"""Can't Stop for two: the pair kernel against other solvers, exact fractions, and its own equations."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from jeopardice import CantStop, PositionError, Race, StochasticGame, TooLargeError, load, solve, solve_stochastic_game
from jeopardice.columns import board_turns
from jeopardice.columns.duel import DuelBoards, duel_bounds, pair_count, solve_board_duel
from jeopardice.graphs.stochastic import END

TINY = [
    CantStop(2, 1, closed_to_both=False),
    CantStop(2, 1),
    CantStop(2, 1, 2, closed_to_both=False),
    CantStop(2, 2, 2),
]


@cache
def solved(game):
    return solve_board_duel(game)


def positions(game):
    """Every position that is still played, as (mine, theirs)."""
    boards = DuelBoards(game)
    first, second, _ = boards.pairs()
    for i, j in zip(first, second, strict=True):
        yield boards.boards[i], boards.boards[j]
        yield boards.boards[j], boards.boards[i]


def written_out(game):
    """The same game as a stochastic game straight from the rules: the row player gets 1 if seat 0 wins."""
    full = frozenset(game.columns)

    def closed(theirs):
        done = {c for c in game.columns if theirs[c - 2] == game.length(c)}
        return frozenset(done) if game.closed_to_both else frozenset()

    def possible(theirs):
        return len(full - closed(theirs)) >= game.columns_to_win

    def passed(seat, mine, theirs):
        return "turn", 1 - seat, theirs, mine

    # a position: ("turn", seat, mine, theirs), ("roll", ..., markers), ("choose", ..., markers, roll), ("stop?", ..., markers)
    def plays(position):
        kind, _, mine, theirs, *rest = position
        if kind == "stop?":
            return ["stop", "roll"]
        if kind == "choose":
            return game.plays(mine, *rest, closed(theirs)) or ["bust"]
        return ["wait"]

    def after(position, play):
        kind, seat, mine, theirs, *rest = position
        if kind == "turn":
            if not possible(theirs) and not possible(mine):
                return {END: 1.0}
            return {("roll", seat, mine, theirs, ()): 1.0}
        if kind == "roll":
            total = game.sides**game.dice
            return {("choose", seat, mine, theirs, rest[0], roll): w / total for roll, w in game.rolls().items()}
        if kind == "choose":
            if play == "bust":
                return {passed(seat, mine, theirs): 1.0}
            return {END: 1.0} if game.is_won(mine, play) else {("stop?", seat, mine, theirs, play): 1.0}
        if play == "roll":
            return {("roll", seat, mine, theirs, rest[0]): 1.0}
        return {passed(seat, game.bank(mine, rest[0]), theirs): 1.0}

    def payoff(position, play):
        kind, seat, mine, theirs, *_ = position
        if kind == "turn":
            return 0.0 if possible(theirs) or possible(mine) else 0.5
        return float(seat == 0) if kind == "choose" and play != "bust" and game.is_won(mine, play) else 0.0

    return StochasticGame.from_rules(
        [("turn", 0, mine, theirs) for mine, theirs in positions(game)],
        row_plays=lambda s: plays(s) if s[1] == 0 else ["wait"],
        column_plays=lambda s: plays(s) if s[1] == 1 else ["wait"],
        payoff=lambda s, row, column: payoff(s, row if s[1] == 0 else column),
        chances=lambda s, row, column: after(s, row if s[1] == 0 else column),
    )


@pytest.mark.parametrize("game", TINY[:2], ids=repr)
def test_every_position_is_worth_what_the_stochastic_game_solver_finds(game):
    values, other = solved(game), solve_stochastic_game(written_out(game))
    pairs = list(positions(game))
    assert len(pairs) > 30
    for mine, theirs in pairs:
        assert values.at(mine, theirs) == pytest.approx(other.value_at(("turn", 0, mine, theirs)), abs=1e-9)


@pytest.mark.parametrize("game", TINY, ids=repr)
def test_bounds_hold_the_exact_fractions(game):
    """Newton in Fractions, straight through written-out turns, on every pair from the end back."""
    values, exact = solved(game), exactly(game)
    bounds = duel_bounds(values)
    for (mine, theirs), value in exact.items():
        i, j = values.numbers(mine, theirs)
        assert abs(Fraction(values.table[i, j]) - value) <= Fraction(bounds[i, j])
    assert 0 < bounds.max() < 1e-11


def exactly(game):
    """All values as Fractions: each pair is linear in pieces, so Newton ends after finitely many steps."""
    boards = DuelBoards(game)
    found = {}

    def worth(mine, theirs):
        mine, theirs = boards.lowered(mine, theirs), boards.lowered(theirs, mine)
        return Fraction(1, 2) if game.is_drawn((mine, theirs)) else found[mine, theirs]

    def walk(mine, theirs, bust):
        turn = boards.writer.turn(mine, game.closed_to(0, (mine, theirs)))
        total, best = game.sides**game.dice, []
        for markers, groups, won in zip(turn.markers, turn.groups, turn.is_won, strict=True):
            if won:
                best.append((Fraction(1), Fraction(0)))
                continue
            left = Fraction(total - sum(weight for weight, _ in groups), total)
            picked = [(weight, max((best[play] for play in plays), key=lambda b: b[0])) for weight, plays in groups]
            roll = left * bust + sum(Fraction(weight, total) * b[0] for weight, b in picked)
            slope = left + sum(Fraction(weight, total) * b[1] for weight, b in picked)
            stop = 1 - worth(theirs, game.bank(mine, markers)) if markers else Fraction(-1)
            best.append((stop, Fraction(0)) if stop >= roll else (roll, slope))
        return best[-1]

    first, second, _ = boards.pairs()
    for i, j in zip(first, second, strict=True):
        mine, theirs, x = boards.boards[i], boards.boards[j], Fraction(1, 2)
        while True:
            y, reply = walk(theirs, mine, 1 - x)
            turn, slope = walk(mine, theirs, 1 - y)
            if turn == x:
                break
            x += (turn - x) / (1 - slope * reply)
        found[mine, theirs], found[theirs, mine] = x, y
    return found


def test_values_satisfy_their_equations_on_a_larger_board():
    game = CantStop(3, 1)
    values = solved(game)
    rng = np.random.default_rng(5)
    pairs = list(positions(game))
    for k in rng.choice(len(pairs), 60, replace=False):
        mine, theirs = pairs[k]
        assert values.turn(mine, theirs)[()][1] == pytest.approx(values.at(mine, theirs), abs=1e-12)


def test_the_mirror_image_of_a_position_is_worth_the_same():
    values = solved(CantStop(3, 1))
    for mine, theirs in list(positions(values.boards.game))[::997]:
        assert values.at(mine[::-1], theirs[::-1]) == pytest.approx(values.at(mine, theirs), abs=1e-12)


def test_the_bits_do_not_depend_on_threads():
    game = CantStop(2, 3)
    assert (solve_board_duel(game, threads=1).table == solve_board_duel(game, threads=3).table).all()


def test_where_one_turn_wins_all_the_race_alone_gives_the_chance():
    """On (2,1) nobody stops, so with p = 1 / (turns alone) the first player wins with 1 / (2 - p)."""
    p = 1 / solve(Race(CantStop(2, 1))).value
    assert solved(CantStop(2, 1)).at((0, 0, 0), (0, 0, 0)) == pytest.approx(1 / (2 - p), abs=1e-12)


def test_positions_that_nobody_can_win_are_drawn_at_once():
    solution = solve(Race(CantStop(2, 2), players=2))
    mine, theirs = {2: 2}, {4: 2}
    assert solution.at(mine, theirs) == 0.5
    with pytest.raises(PositionError, match="drawn"):
        solution.advise(mine=mine, theirs=theirs)
    assert solution.at({}, theirs) < 0.5 < solution.at(theirs, {})
    with pytest.raises(PositionError, match="completed by both"):
        solution.at({2: 2}, {2: 2})


def test_what_is_climbed_in_a_column_the_other_closed_is_worth_nothing():
    solution = solve(Race(CantStop(2, 2, 2), players=2))
    assert solution.at({3: 2, 2: 1}, {3: 4}) == solution.at({2: 1}, {3: 4})


def test_advice_is_best_first_and_its_best_option_is_the_value():
    solution = solve(Race(CantStop(2, 2), players=2))
    assert solution.advise().value == pytest.approx(solution.value, abs=1e-12)
    assert solution.coin_toss == 0.5 and 0 < solution.error_bound < 1e-11
    advice = solution.advise(theirs={3: 3}, markers={2: 1, 4: 1})
    assert {option.play for option in advice.options} == {"stop", "roll"}
    values = [option.value for option in advice.options]
    assert values == sorted(values, reverse=True)
    assert solution.advise(theirs={3: 3}, markers={2: 1, 4: 1}).options[-1].value <= 1 - solution.at(
        {3: 3}, {2: 1, 4: 1}
    )
    won = solution.advise(mine={2: 2, 4: 2, 3: 3}, roll=(1, 2, 2, 1))
    assert won.best.value == 1.0 and won.best.play == "move 3 and stop"
    for wrong, words in (({"markers": {2: 1}, "mine": {2: 2}}, "above"), ({"roll": (1, 2, 3, 4)}, "a roll is")):
        with pytest.raises(PositionError, match=words):
            solution.advise(**wrong)
    with pytest.raises(PositionError, match="bust"):
        solution.advise(mine={2: 2}, roll=(1, 1, 1, 1))


def test_a_saved_duel_is_loaded_again(tmp_path):
    solution = solve(Race(CantStop(2, 1), players=2))
    again = load(solution.save(tmp_path / "duel"))
    assert again.goal == solution.goal and (again.positions.table == solution.positions.table).all()
    assert again.advise(roll=(1, 1, 2, 2)).best == solution.advise(roll=(1, 1, 2, 2)).best


def test_large_boards_are_refused_with_an_estimate():
    with pytest.raises(TooLargeError, match=r"hours.*GB"):
        solve(Race(CantStop(), players=2))
    with pytest.raises(ValueError, match="checkpoint"):
        solve(Race(CantStop(2, 1), players=2), checkpoint="x")
    with pytest.raises(ValueError, match="payoff"):
        solve(Race(CantStop(2, 1), players=2, payoff="margin"))


@pytest.mark.parametrize(
    "game",
    [
        CantStop(2, 2),
        CantStop(3, 1),
        CantStop(2, 2, columns_to_win=1),
        CantStop(2, 2, columns_to_win=2, markers=2, dice=5),
        CantStop(2, 3, closed_to_both=False),
    ],
    ids=str,
)
def test_all_turns_at_once_are_the_turns_written_one_by_one(game, monkeypatch):
    monkeypatch.setattr(board_turns, "TURNS_AT_ONCE", 7)
    boards = DuelBoards(game)
    tables = boards.tables
    for closing, closed in enumerate(boards.closings):
        for number, standing in enumerate(boards.boards):
            t = tables["turn_of"][closing, number]
            assert (t < 0) == any(standing[column - 2] for column in closed)
            if t >= 0:
                moments = slice(tables["first_moment"][t], tables["first_moment"][t + 1])
                assert _offered(tables, moments) == _written(boards, standing, closed)
    assert len(boards.pairs()[0]) == pair_count(game)


def _offered(tables, moments):
    """Each moment by the board a stop leads to, with its groups of (weight, boards to choose from)."""
    bank, found = tables["bank"], []
    for m in range(moments.start, moments.stop):
        groups = []
        for g in range(tables["first_group"][m], tables["first_group"][m + 1]):
            plays = tables["play_to"][tables["first_play"][g] : tables["first_play"][g + 1]]
            assert (plays < m - moments.start).all()
            groups.append((float(tables["weight"][g]), sorted(bank[moments.start + plays].tolist())))
        found.append((int(bank[m]), float(tables["bust"][m]) if groups else 1.0, sorted(groups)))
    assert found[-1][0] == board_turns.OPENING
    return sorted(found)


def _written(boards, standing, closed):
    turn, game = boards.writer.turn(standing, closed), boards.game
    bank = [
        board_turns.WON if won else boards.index[game.bank(standing, markers)] if markers else board_turns.OPENING
        for markers, won in zip(turn.markers, turn.is_won, strict=True)
    ]
    total = game.sides**game.dice
    return sorted(
        (
            board,
            1 - sum(weight for weight, _ in groups) / total,
            sorted((weight / total, sorted(bank[play] for play in plays)) for weight, plays in groups),
        )
        for board, groups in zip(bank, turn.groups, strict=True)
    )
