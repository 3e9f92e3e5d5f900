// Can't Stop with random dice: four dice, any board, strategies that weigh columns.
//
// The rules are written out here once more, straight from the words and sharing nothing with the solvers: it is a check.
// A play scores  sum of spaces * choice[column] - marker * (markers newly placed);  the best score is played, ties go to
// the play that comes first column by column. One stops when all markers that can be placed are placed and
// sum of (spaces gained + 1) * progress[column] + what the set of columns adds  reaches the threshold; or after a fixed
// number of rolls; or by chance. Each game has its own random numbers, so the outcome depends on the seed alone.
#pragma once

#include <algorithm>

#include "random.hpp"

namespace jeopardice {

inline constexpr int MOST_COLUMNS = 64;

struct Board {
    int sides, columns, columns_to_win, markers;
    bool closed_to_both;
    int length[MOST_COLUMNS];
};

struct Habit {
    const double *progress, *choice;  // by column
    double odds, evens, highs, lows, marker, threshold;
    int rolls;           // stop after so many; 0: by the score
    double stop_chance;  // of a player without any plan; below 0: by the score or the rolls
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

struct BoardTurnPlay {
    const Board &board;
    const Habit &habit;
    const BoardSide &mine, &theirs;
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

    // Returns the number of rolls; a bust leaves nothing gained.
    int play(Stream &stream, BoardTally &tally) {
        for (int rolls = 1;; ++rolls) {
            int die[4];
            for (int &d : die) d = int(((unsigned __int128)stream.next() * uint64_t(board.sides)) >> 64);
            BoardPlay found[6];
            int plays = 0;
            constexpr int pairing[3][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}};
            for (const auto &p : pairing) {
                const int a = die[p[0]] + die[p[1]], b = die[p[2]] + die[p[3]];
                for (const BoardPlay &play : {climb(a, b), climb(b, a)})
                    if (play.gains && std::find(found, found + plays, play) == found + plays) found[plays++] = play;
            }
            if (plays == 0) {
                std::fill(gained, gained + board.columns, 0);
                return rolls;
            }
            const BoardPlay *best = found;
            if (habit.stop_chance >= 0.0) {
                best = found + int(((unsigned __int128)stream.next() * uint64_t(plays)) >> 64);
            } else {
                for (const BoardPlay *play = found + 1; play < found + plays; ++play) {
                    const double gain = score(*play) - score(*best);
                    if (gain > 0.0 || (gain == 0.0 && *play < *best)) best = play;
                }
            }
            for (int k = 0; k < best->gains; ++k) {
                used += gained[best->column[k]] == 0;
                gained[best->column[k]] += best->spaces[k];
                ++tally.chosen[best->column[k]];
            }
            if (wins() || stops(rolls, stream)) return rolls;
        }
    }
};

inline bool can_win(const Board &board, const BoardSide &theirs) {
    int possible = 0;
    for (int c = 0; c < board.columns; ++c) possible += !(board.closed_to_both && theirs.climbed[c] == board.length[c]);
    return possible >= board.columns_to_win;
}

inline void play_board_game(const Board &board, const Habit *habits, int seats, int most_turns, Stream stream,
                            BoardTally &tally) {
    BoardSide sides[2];
    const int64_t counts = int64_t(tally.busts.size());
    int64_t busts = 0;
    for (int turn = 1, s = 0;; ++turn, s = seats == 2 ? 1 - s : 0) {
        const bool over = seats == 2 && !can_win(board, sides[1]) && !can_win(board, sides[0]);
        if (turn > most_turns || over) {
            ++tally.drawn;
            return;
        }
        BoardTurnPlay now{board, habits[s], sides[s], sides[1 - s]};
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
            ++tally.turns[s * counts + std::min<int64_t>(turn, counts - 1)];
            ++tally.busts[std::min(busts, counts - 1)];
            for (int c = 0; c < board.columns; ++c) tally.won[c] += sides[s].climbed[c] == board.length[c];
            return;
        }
    }
}

}  // namespace jeopardice
