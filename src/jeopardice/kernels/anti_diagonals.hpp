// The order of work of races for two: pairs of scores of one sum are independent, and threads share them.
#include <algorithm>
#include <atomic>
#include <barrier>
#include <thread>
#include <vector>

#include "duel.hpp"

namespace jeopardice::JEOPARDICE_TARGET {

// Run `work(first score, scores, total of both scores, thread)` over the anti-diagonals, those with both nearly home first.
template <class Work>
void over_anti_diagonals(const Duel &duel, int threads, Watch watch, int chunk, Work work) {
    const int a = duel.seat[0].house.scores, b = duel.seat[1].house.scores;
    std::atomic<int> next{0};
    int sum = a + b - 2;
    auto first = [&] { return std::max(0, sum - (b - 1)); };
    auto last = [&] { return duel.symmetric ? sum / 2 : std::min(sum, a - 1); };
    next = first();
    auto advance = [&]() noexcept {
        watch.done.fetch_add(last() - first() + 1, std::memory_order_relaxed);
        sum = watch.stopped() ? -1 : sum - 1;
        if (sum >= 0) next = first();
    };
    std::barrier diagonal(threads, advance);
    auto run = [&](int thread) {
        while (sum >= 0) {
            const int end = last();
            for (int i = next.fetch_add(chunk); i <= end; i = next.fetch_add(chunk))
                work(i, std::min(chunk, end - i + 1), sum, thread);
            diagonal.arrive_and_wait();
        }
    };
    std::vector<std::thread> others;
    for (int thread = 1; thread < threads; ++thread) others.emplace_back(run, thread);
    run(0);
    for (auto &thread : others) thread.join();
}

}  // namespace jeopardice::JEOPARDICE_TARGET
