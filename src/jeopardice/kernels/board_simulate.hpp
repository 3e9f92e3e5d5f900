// Can't Stop with random dice: four dice, any board, strategies that weigh columns.
//
// The rules are written out here once more, straight from the words and sharing nothing with the solvers: it is a check.
// A play scores  sum of spaces * choice[column] - marker * (markers newly placed);  the best score is played, ties go to
// the play that comes first column by column. One stops when all markers that can be placed are placed and
// sum of (spaces gained + 1) * progress[column] + what the set of columns adds  reaches the threshold; or after a fixed
// number of rolls; or by chance. Each game has its own random numbers, so the outcome depends on the seed alone.
//
// Look-ahead plays by an estimated chance to win instead, as `columns/estimate.py` has it: a play is worth the larger of
// stopping now and of stopping after one more roll.
#pragma once

#include <algorithm>
#include <cmath>
#include <tuple>

#include "cells_layout.hpp"
#include "random.hpp"

namespace jeopardice {

inline constexpr int MOST_COLUMNS = 64;

struct Board {
    int sides, columns, columns_to_win, markers;
    bool closed_to_both;
    int length[MOST_COLUMNS];
};

// The chance to win of the player about to roll, with m left to do and t left to the other:
//     odds = ((t + least) / (m + least)) ^ ratio * exp(tempo / (m + t + least)).
// What is left is counted in shares of columns, or in turns alone by a table over cells.
struct WinEstimate {
    double ratio = 0, tempo = 0, least = 0;
    const cant_stop::CellLayout *cells = nullptr;
    const double *turns = nullptr;
};

struct Habit {
    const double *progress, *choice;  // by column
    double odds, evens, highs, lows, marker, threshold;
    int rolls;                              // stop after so many; 0: by the score
    double stop_chance;                     // of a player without any plan; below 0: by the score or the rolls
    const WinEstimate *estimate = nullptr;  // of a player who looks ahead
};

struct BoardPlay {
    int gains = 0, column[2], spaces[2];  // in order of the columns
    bool operator==(const BoardPlay &other) const {
        if (gains != other.gains) return false;
        for (int k = 0; k < gains; ++k)
            if (column[k] != other.column[k] || spaces[k] != other.spaces[k]) return false;
        return true;
    }
    bool operator<(const BoardPlay &other) const {
        for (int k = 0; k < gains && k < other.gains; ++k) {
            if (column[k] != other.column[k]) return column[k] < other.column[k];
            if (spaces[k] != other.spaces[k]) return spaces[k] < other.spaces[k];
        }
        return gains < other.gains;
    }
};

struct BoardSide {
    int climbed[MOST_COLUMNS] = {}, completed = 0;
};

struct BoardTally {
    std::vector<int64_t> turns, busts, won, chosen;  // turns: [winner][turns]; by column: completed by the winner, plays
    int64_t drawn = 0, rolls = 0;
};

inline bool can_win(const Board &board, const BoardSide &theirs) {
    int possible = 0;
    for (int c = 0; c < board.columns; ++c) possible += !(board.closed_to_both && theirs.climbed[c] == board.length[c]);
    return possible >= board.columns_to_win;
}

inline double left_to_do(const Board &board, const WinEstimate &estimate, const BoardSide &mine, const BoardSide &theirs) {
    double share[MOST_COLUMNS];
    int remaining[MOST_COLUMNS], open = 0;
    for (int c = 0; c < board.columns; ++c) {
        const bool is_lost = board.closed_to_both && theirs.climbed[c] == board.length[c];
        remaining[c] = board.length[c] - (is_lost ? 0 : mine.climbed[c]);
        if (!is_lost && remaining[c]) share[open++] = 1.0 - double(mine.climbed[c]) / board.length[c];
    }
    if (estimate.cells) {
        const int64_t cell = estimate.cells->cell_of(remaining);
        return cell < 0 ? 0.0 : estimate.turns[cell];
    }
    std::sort(share, share + open);
    double left = 0;
    for (int k = 0; k < std::min(open, board.columns_to_win - mine.completed); ++k) left += share[k];
    return left;
}

inline double win_chance(const Board &board, const WinEstimate &e, const BoardSide &mine, const BoardSide &theirs) {
    if (!can_win(board, theirs) && !can_win(board, mine)) return 0.5;
    const double m = left_to_do(board, e, mine, theirs), t = left_to_do(board, e, theirs, mine);
    const double odds = std::pow((t + e.least) / (m + e.least), e.ratio) * std::exp(e.tempo / (m + t + e.least));
    return odds / (1 + odds);
}

// All rolls of four dice, in order, each with its number of ways.
struct RollList {
    struct Entry {
        int die[4], ways;
    };
    std::vector<Entry> rolls;
    explicit RollList(int sides) {
        for (int a = 0; a < sides; ++a)
            for (int b = a; b < sides; ++b)
                for (int c = b; c < sides; ++c)
                    for (int d = c; d < sides; ++d) {
                        int ways = 24, run = 1;
                        const int die[4] = {a, b, c, d};
                        for (int k = 1; k < 4; ++k) {
                            run = die[k] == die[k - 1] ? run + 1 : 1;
                            ways /= run;
                        }
                        rolls.push_back({{a, b, c, d}, ways});
                    }
    }
};

struct BoardTurnPlay {
    const Board &board;
    const Habit &habit;
    const BoardSide &mine, &theirs;
    const RollList &all_rolls;
    int gained[MOST_COLUMNS] = {}, used = 0;

    bool is_open(int c) const {
        return mine.climbed[c] + gained[c] < board.length[c] &&
               !(board.closed_to_both && theirs.climbed[c] == board.length[c]);
    }

    BoardPlay climb(int first, int second) const {
        int more[2] = {0, 0}, placed = used;
        const int sum[2] = {first, second};
        for (int k = 0; k < 2; ++k) {
            const int c = sum[k], before = k && first == second ? more[0] : 0;
            const bool marked = gained[c] > 0 || before > 0;
            if (!is_open(c) || mine.climbed[c] + gained[c] + before >= board.length[c]) continue;
            if (!marked && placed == board.markers) continue;
            placed += !marked;
            more[k] = 1;
        }
        BoardPlay play;
        const auto add = [&](int c, int spaces) {
            if (!spaces) return;
            play.column[play.gains] = c;
            play.spaces[play.gains++] = spaces;
        };
        if (first == second) {
            add(first, more[0] + more[1]);
        } else {
            const bool swapped = second < first;
            add(sum[swapped], more[swapped]);
            add(sum[!swapped], more[!swapped]);
        }
        return play;
    }

    double score(const BoardPlay &play) const {
        double total = 0.0;
        for (int k = 0; k < play.gains; ++k) {
            total += play.spaces[k] * habit.choice[play.column[k]];
            if (gained[play.column[k]] == 0) total -= habit.marker;
        }
        return total;
    }

    bool wins() const {
        int completed = mine.completed;
        for (int c = 0; c < board.columns; ++c) completed += gained[c] && mine.climbed[c] + gained[c] == board.length[c];
        return completed >= board.columns_to_win;
    }

    bool can_place() const {
        if (used == board.markers) return false;
        for (int c = 0; c < board.columns; ++c)
            if (gained[c] == 0 && is_open(c)) return true;
        return false;
    }

    bool stops(int rolls, Stream &stream) const {
        if (habit.stop_chance >= 0.0) return double(stream.next() >> 11) * 0x1p-53 < habit.stop_chance;
        if (habit.rolls > 0) return rolls >= habit.rolls;
        if (can_place()) return false;
        double total = 0.0;
        bool odd = true, even = true, high = true, low = true;
        for (int c = 0; c < board.columns; ++c) {
            if (gained[c] == 0) continue;
            total += (gained[c] + 1) * habit.progress[c];
            (c % 2 ? even : odd) = false;  // column c has the sum c + 2
            if (c < board.sides - 1) high = false;
            if (c > board.sides - 1) low = false;
        }
        if (used < board.markers) return total >= habit.threshold;
        total += odd * habit.odds + even * habit.evens + high * habit.highs + low * habit.lows;
        return total >= habit.threshold;
    }

    void take(const BoardPlay &play, int sign = 1) {
        for (int k = 0; k < play.gains; ++k) {
            const int c = play.column[k];
            used += sign > 0 ? gained[c] == 0 : 0;
            gained[c] += sign * play.spaces[k];
            used -= sign < 0 ? gained[c] == 0 : 0;
        }
    }
    // The plays of a roll, no two alike.
    int plays_of(const int (&die)[4], BoardPlay (&options)[6]) const {
        constexpr int pairing[3][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}};
        int plays = 0;
        for (const auto &p : pairing) {
            const int a = die[p[0]] + die[p[1]], b = die[p[2]] + die[p[3]];
            for (const BoardPlay &play : {climb(a, b), climb(b, a)})
                if (play.gains && std::find(options, options + plays, play) == options + plays) options[plays++] = play;
        }
        return plays;
    }

    // Look-ahead: the chance to win after banking what is gained, and after one more roll and then banking.
    double stopped() const {
        if (wins()) return 1.0;
        BoardSide banked = mine;
        for (int c = 0; c < board.columns; ++c) {
            if (!gained[c]) continue;
            banked.climbed[c] += gained[c];
            banked.completed += banked.climbed[c] == board.length[c];
        }
        return 1.0 - win_chance(board, *habit.estimate, theirs, banked);
    }
    double rolled_once() {
        double sum = 0, total = 0;
        const double bust = 1.0 - win_chance(board, *habit.estimate, theirs, mine);
        std::vector<double> known(size_t(board.columns) * size_t(board.columns + 1), -1.0);
        for (const auto &roll : all_rolls.rolls) {
            BoardPlay options[6];
            const int plays = plays_of(roll.die, options);
            double best = plays ? 0.0 : bust;
            for (int k = 0; k < plays; ++k) {
                const BoardPlay &play = options[k];
                const int second = play.gains == 2 ? play.column[1] : play.spaces[0] == 2 ? play.column[0] : board.columns;
                double &value = known[size_t(play.column[0]) * size_t(board.columns + 1) + size_t(second)];
                if (value < 0) {
                    take(play);
                    value = stopped();
                    take(play, -1);
                }
                best = std::max(best, value);
            }
            sum += roll.ways * best;
            total += roll.ways;
        }
        return sum / total;
    }
    // The best play of a roll, and whether to stop after it.
    std::pair<const BoardPlay *, bool> looked_ahead(const BoardPlay *options, int plays) {
        std::pair<const BoardPlay *, bool> best{options, true};
        double most = -1;
        for (const BoardPlay *play = options; play < options + plays; ++play) {
            take(*play);
            const double stop = stopped(), roll = stop < 1.0 ? rolled_once() : 0.0;
            take(*play, -1);
            const double value = std::max(stop, roll);
            if (value > most || (value == most && *play < *best.first)) best = {play, stop >= roll}, most = value;
        }
        return best;
    }

    // Returns the number of rolls; a bust leaves nothing gained.
    int play(Stream &stream, BoardTally &tally) {
        for (int rolls = 1;; ++rolls) {
            int die[4];
            for (int &d : die) d = int(((unsigned __int128)stream.next() * uint64_t(board.sides)) >> 64);
            BoardPlay options[6];
            const int plays = plays_of(die, options);
            if (plays == 0) {
                std::fill(gained, gained + board.columns, 0);
                return rolls;
            }
            const BoardPlay *best = options;
            bool ends = false;
            if (habit.estimate) {
                std::tie(best, ends) = looked_ahead(options, plays);
            } else if (habit.stop_chance >= 0.0) {
                best = options + int(((unsigned __int128)stream.next() * uint64_t(plays)) >> 64);
            } else {
                for (const BoardPlay *play = options + 1; play < options + plays; ++play) {
                    const double gain = score(*play) - score(*best);
                    if (gain > 0.0 || (gain == 0.0 && *play < *best)) best = play;
                }
            }
            for (int k = 0; k < best->gains; ++k) ++tally.chosen[best->column[k]];
            take(*best);
            if (wins() || (habit.estimate ? ends : stops(rolls, stream))) return rolls;
        }
    }
};

// `seen`, if given, receives one position of the game at the beginning of a turn, any as likely as the others: spaces of
// the player about to roll, of the other, and 1 if the former won, 0 if not, 2 if nobody did.
// The game begins with `start`: the sides of the player who rolls first and of the other.
inline void play_board_game(const Board &board, const Habit *habits, int seats, int most_turns, const BoardSide *start,
                            const RollList &rolls, Stream stream, BoardTally &tally, int8_t *seen) {
    Stream draw(stream.state, stream.step);
    BoardSide sides[2] = {start[0], start[1]};
    int seen_seat = 0;
    const auto settle = [&](int winner) {
        if (seen) seen[2 * board.columns] = int8_t(winner < 0 ? 2 : winner == seen_seat);
    };
    const int64_t counts = int64_t(tally.busts.size());
    int64_t busts = 0;
    for (int turn = 1, s = 0;; ++turn, s = seats == 2 ? 1 - s : 0) {
        const bool over = seats == 2 && !can_win(board, sides[1]) && !can_win(board, sides[0]);
        if (turn > most_turns || over) {
            ++tally.drawn;
            settle(-1);
            return;
        }
        if (seen && draw.next() % uint64_t(turn) == 0) {
            seen_seat = s;
            for (int c = 0; c < board.columns; ++c) {
                seen[c] = int8_t(sides[s].climbed[c]);
                seen[board.columns + c] = int8_t(sides[1 - s].climbed[c]);
            }
        }
        BoardTurnPlay now{board, habits[s], sides[s], sides[1 - s], rolls};
        tally.rolls += now.play(stream, tally);
        bool bust = true;
        for (int c = 0; c < board.columns; ++c) {
            if (!now.gained[c]) continue;
            bust = false;
            sides[s].climbed[c] += now.gained[c];
            sides[s].completed += sides[s].climbed[c] == board.length[c];
        }
        busts += bust;
        if (sides[s].completed >= board.columns_to_win) {
            settle(s);
            ++tally.turns[s * counts + std::min<int64_t>(turn, counts - 1)];
            ++tally.busts[std::min(busts, counts - 1)];
            for (int c = 0; c < board.columns; ++c) tally.won[c] += sides[s].climbed[c] == board.length[c];
            return;
        }
    }
}

}  // namespace jeopardice
