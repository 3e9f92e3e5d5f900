// Random numbers that depend on the seed and the game's number alone, and games shared out to threads in blocks.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "table.hpp"

namespace jeopardice {

inline uint64_t mixed(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

struct Stream {
    uint64_t state, step;
    Stream(uint64_t seed, uint64_t game)
        : state(mixed(mixed(seed + 0x9e3779b97f4a7c15u) ^ (game * 0xd1342543de82ef95u + 1))),
          step(mixed(state + game) | 1) {}
    uint64_t next() { return mixed(state += step); }
};

// The game numbers first .. first + games - 1, shared out in blocks.
template <class Play, class Merge>
void play_blocks(int64_t games, int threads, Watch watch, Play play, Merge merge) {
    const int64_t block = std::clamp<int64_t>(games / (16 * threads), 1, 4096);
    std::atomic<int64_t> next{0};
    auto work = [&](int thread) {
        for (int64_t from = next.fetch_add(block); from < games; from = next.fetch_add(block)) {
            if (watch.cancelled.load(std::memory_order_relaxed)) break;
            const int64_t end = std::min(from + block, games);
            for (int64_t game = from; game < end; ++game) play(game, thread);
            watch.done.fetch_add(end - from, std::memory_order_relaxed);
        }
    };
    std::vector<std::thread> others;
    for (int thread = 1; thread < threads; ++thread) others.emplace_back(work, thread);
    work(0);
    for (auto &thread : others) thread.join();
    merge();
}

}  // namespace jeopardice
