// Games played with random dice: every roll is drawn from the rules' own rolls, every decision looked up in a plan.
//
// Each game has its own stream of random numbers, made from the seed and the game's number alone (a counter through a
// mixing function), and only whole numbers are added up, so the outcome is the same for any number of threads.
// A roll is drawn by the alias method: one random number, one comparison, whatever the number of rolls.
#pragma once

#include "plan.hpp"
#include "random.hpp"

namespace jeopardice::planning {

// The rolls of every mode: roll r is taken where the fraction drawn is at most keep[r], else alias[r] is.
struct Falls {
    const int32_t *first_roll;  // [mode + 1]
    const uint64_t *keep;       // [roll]
    const int32_t *alias;       // [roll]
    const int32_t *group;       // [roll] the plays it offers, -1 for a bust
};

// A roll with everything that follows from it, side by side in memory: this is what the time goes into.
struct Fall {
    uint64_t keep;
    int32_t alias, points, mode, group;  // points < 0: a bust; group < 0: there is one play
};

struct Dice {
    std::vector<int32_t> first_roll;
    std::vector<Fall> falls;
    Dice(const Falls &table, const Plan &plan) : first_roll(table.first_roll, table.first_roll + plan.table.modes + 1) {
        for (int roll = 0; roll < first_roll.back(); ++roll) {
            const int group = table.group[roll];
            Fall fall{table.keep[roll], table.alias[roll], -1, 0, -1};
            if (group >= 0) {
                const int play = plan.table.first_play[group];
                fall.points = plan.table.points[play];
                fall.mode = plan.table.offset[play] - fall.points * plan.table.row();
                if (plan.choice[group] >= 0) fall.group = group;
            }
            falls.push_back(fall);
        }
    }
    const Fall &draw(int mode, Stream &stream) const {
        const int from = first_roll[mode];
        const unsigned __int128 product = (unsigned __int128)stream.next() * uint64_t(first_roll[mode + 1] - from);
        const Fall &fall = falls[from + int(uint64_t(product >> 64))];
        return uint64_t(product) <= fall.keep ? fall : falls[fall.alias];
    }
};

struct Outcome {
    int points, rolls;  // banked points in units (at or past the goal: won), 0 for a bust
    bool forbidden;     // the plan stops where the rules do not let it
};

// What the rules ask of a turn, told apart from the plan that is to follow them.
struct Asks {
    int goal, least;
    bool exact;
};

inline Outcome play_turn(const Plan &plan, const Dice &dice, const Planned &here, const Asks &asks, Stream &stream) {
    const Table &table = plan.table;
    int t = 0, mode = table.opening;
    for (int rolls = 1;; ++rolls) {
        const Fall &fall = dice.draw(mode, stream);
        if (fall.points < 0) return {0, rolls, false};
        if (fall.group < 0) {
            t += fall.points;
            mode = fall.mode;
        } else {
            const int play = play_of(plan, here, t, fall.group);
            t += table.points[play];
            mode = table.offset[play] - table.points[play] * table.row();
        }
        if (asks.exact && t >= asks.goal) return {t == asks.goal ? t : 0, rolls, false};
        if (mode == table.modes) return {t, rolls, false};
        if (t > 0 && (t >= here.height || here.stop[int64_t(t) * table.modes + mode]))
            return {t, rolls, !table.may_stop[mode] || (t < asks.least && t < asks.goal)};
    }
}

// Counts over all games. Turns and busts from the last place of their counts on are counted there.
struct Tally {
    int64_t *turns[2];  // [winner][turns]
    int64_t *loser[2];  // [winner][loser's standing]
    int64_t *busts;     // [busts]
    int64_t sums[4];    // unfinished games, turns, rolls, forbidden stops
};

struct Match {
    const Plan *plans;
    const Dice *dice;
    int seats, target[2], least[2], most_turns, most_count;
    bool exact;
};

inline void play_game(const Match &match, Stream stream, Tally &tally) {
    int standing[2] = {0, 0}, turns = 0, busts = 0;
    for (int s = 0;; s = match.seats == 2 ? 1 - s : 0) {
        if (turns++ == match.most_turns) {
            ++tally.sums[0];
            return;
        }
        const int goal = match.target[s] - standing[s];
        const Planned here = planned(match.plans[s], standing[s], match.seats == 2 ? standing[1 - s] : 0);
        const Outcome turn = play_turn(match.plans[s], match.dice[s], here, {goal, match.least[s], match.exact}, stream);
        tally.sums[2] += turn.rolls;
        tally.sums[3] += turn.forbidden;
        busts += turn.points == 0;
        standing[s] += turn.points;
        if (turn.points >= goal) {
            ++tally.turns[s][std::min(turns, match.most_count - 1)];
            ++tally.busts[std::min(busts, match.most_count - 1)];
            if (match.seats == 2) ++tally.loser[s][standing[1 - s]];
            tally.sums[1] += turns;
            return;
        }
    }
}

}  // namespace jeopardice::planning
