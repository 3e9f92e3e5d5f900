// Binds the passes over plans: evaluation, best responses, decisions from values, laws of counts.
#include <nanobind/stl/tuple.h>

#include "plan_arrays.hpp"

using namespace jeopardice;
using namespace jeopardice::planning;

namespace {

template <class T>
nb::ndarray<nb::numpy, T, nb::ndim<1>> as_array(std::vector<T> values) {
    auto *owned = new std::vector<T>(std::move(values));
    nb::capsule owner(owned, [](void *p) noexcept { delete static_cast<std::vector<T> *>(p); });
    return nb::ndarray<nb::numpy, T, nb::ndim<1>>(owned->data(), {owned->size()}, owner);
}

// Run decide(k, decisions) for k below `count`, some per thread, and put the pieces together in order.
template <class Decide>
Decisions decide_all(int count, int threads, Watch watch, Decide decide) {
    std::vector<Decisions> parts(count);
    std::atomic<int> next{0};
    auto work = [&](int thread) {
        for (int k = next.fetch_add(1); k < count; k = next.fetch_add(1)) {
            if (watch.cancelled.load(std::memory_order_relaxed)) return;
            decide(k, thread, parts[k]);
            watch.done.fetch_add(1, std::memory_order_relaxed);
        }
    };
    std::vector<std::thread> others;
    for (int thread = 1; thread < threads; ++thread) others.emplace_back(work, thread);
    work(0);
    for (auto &thread : others) thread.join();
    Decisions all;
    size_t stops = 0, chosen = 0;
    for (const Decisions &part : parts) stops += part.stop.size(), chosen += part.chosen.size();
    all.stop.reserve(stops);
    all.chosen.reserve(chosen);
    for (Decisions &part : parts) {
        all.stop.insert(all.stop.end(), part.stop.begin(), part.stop.end());
        all.chosen.insert(all.chosen.end(), part.chosen.begin(), part.chosen.end());
        all.height.insert(all.height.end(), part.height.begin(), part.height.end());
        part = Decisions{};  // some games have hundreds of megabytes of choices: never hold them twice
    }
    return all;
}

auto as_arrays(Decisions &&all) {
    return std::make_tuple(as_array(std::move(all.height)), as_array(std::move(all.stop)), as_array(std::move(all.chosen)));
}

}  // namespace

void bind_plan(nb::module_ &m) {
    nb::class_<PlanSeatArrays>(m, "PlanSeat")
        .def(
            "__init__",
            [](PlanSeatArrays *self, const TableArrays &table, int target, int least_bank, bool exact, Doubles prize,
               Bytes alive, Filled worth,
               Filled bound) { new (self) PlanSeatArrays{table, target, least_bank, exact, prize, alive, worth, bound}; },
            nb::arg("table"), nb::kw_only(), nb::arg("target"), nb::arg("least_bank"), nb::arg("exact"), nb::arg("prize"),
            nb::arg("alive"), nb::arg("worth"), nb::arg("bound"));
    nb::class_<PlanArrays>(m, "Plan").def(
        "__init__",
        [](PlanArrays *self, const TableArrays &table, int choices, int tallest, Ints choice, IntGrid plan_of,
           Longs first_row, Rows stop,
           Rows chosen) { new (self) PlanArrays{table, choices, tallest, choice, plan_of, first_row, stop, chosen}; },
        nb::arg("table"), nb::kw_only(), nb::arg("choices"), nb::arg("tallest"), nb::arg("choice"), nb::arg("plan_of"),
        nb::arg("first_row"), nb::arg("stop"), nb::arg("chosen"));

    m.def(
        "evaluate_plans",
        [](PlanSeatArrays &first, PlanSeatArrays &second, const PlanArrays &first_plan, const PlanArrays &second_plan,
           double sum, int threads, Counter done, Flag cancelled) {
            const planning::Duel duel{{first.view(), second.view()}, sum, false};
            const Plan plans[2] = {first_plan.view(), second_plan.view()};
            const Watch watch = watch_of(done, cancelled);
            nb::gil_scoped_release release;
            evaluate_plans(duel, plans, threads, watch);
        },
        nb::arg("first"), nb::arg("second"), nb::arg("first_plan"), nb::arg("second_plan"), nb::kw_only(), nb::arg("sum"),
        nb::arg("threads"), nb::arg("done"), nb::arg("cancelled"));

    m.def(
        "respond_to_plan",
        [](PlanSeatArrays &responder, PlanSeatArrays &other, const PlanArrays &plan, double sum, int threads, Counter done,
           Flag cancelled) {
            const planning::Duel duel{{responder.view(), other.view()}, sum, false};
            const Plan theirs = plan.view();
            const Watch watch = watch_of(done, cancelled);
            nb::gil_scoped_release release;
            respond_to_plan(duel, theirs, threads, watch);
        },
        nb::arg("responder"), nb::arg("other"), nb::arg("plan"), nb::kw_only(), nb::arg("sum"), nb::arg("threads"),
        nb::arg("done"), nb::arg("cancelled"));

    m.def(
        "plan_of_duel",
        [](PlanSeatArrays &seat, PlanSeatArrays &other, Ints choice, int choices, double sum, int threads, Counter done,
           Flag cancelled) {
            const planning::Duel duel{{seat.view(), other.view()}, sum, false};
            const Watch watch = watch_of(done, cancelled);
            const Table table = duel.seat[0].table;
            const int target = duel.seat[0].target, theirs = duel.seat[1].target;
            Decisions all;
            {
                nb::gil_scoped_release release;
                std::vector<std::vector<planning::Worth>> rows(
                    threads, std::vector<planning::Worth>(size_t(target + table.max_points + 1) * table.row()));
                std::vector<std::vector<uint8_t>> reached(threads);
                all = decide_all(target, threads, watch, [&](int i, int thread, Decisions &out) {
                    for (int j = 0; j < theirs; ++j)
                        decide(table, choices, choice.data(), duel.leaves(0, i, j), sum - duel.worth(1, j, i), target - i,
                               rows[thread].data(), reached[thread], out);
                });
            }
            return as_arrays(std::move(all));
        },
        nb::arg("seat"), nb::arg("other"), nb::kw_only(), nb::arg("choice"), nb::arg("choices"), nb::arg("sum"),
        nb::arg("threads"), nb::arg("done"), nb::arg("cancelled"));

    m.def(
        "plan_of_alone",
        [](const TableArrays &arrays, int target, int least_bank, bool exact, double roll_cost, Filled worth, Ints choice,
           int choices, Counter done, Flag cancelled) {
            std::vector<double> bound(exact ? 0 : target + 1, 1e300);
            const planning::Alone race{arrays.view(), target,    least_bank,   exact,
                                       0.0,           roll_cost, worth.data(), bound.data()};
            const Watch watch = watch_of(done, cancelled);
            Decisions all;
            {
                nb::gil_scoped_release release;
                std::vector<planning::Worth> rows(size_t(target + race.table.max_points + 1) * race.table.row());
                std::vector<uint8_t> reached;
                for (int to_go = 1; to_go <= target && !exact; ++to_go)
                    bound[to_go] = std::min(bound[to_go - 1], stop_bound(race.table, race.leaves(to_go), 0));
                all = decide_all(target, 1, watch, [&](int i, int, Decisions &out) {
                    const double x = race.worth[target - i];
                    decide(race.table, choices, choice.data(), race.leaves(target - i), x, race.cut(target - i, x),
                           rows.data(), reached, out);
                });
            }
            return as_arrays(std::move(all));
        },
        nb::arg("table"), nb::kw_only(), nb::arg("target"), nb::arg("least_bank"), nb::arg("exact"), nb::arg("roll_cost"),
        nb::arg("worth"), nb::arg("choice"), nb::arg("choices"), nb::arg("done"), nb::arg("cancelled"));

    m.def(
        "count_law",
        [](const PlanArrays &first, const PlanArrays &second, int first_target, int second_target, bool exact, int counts,
           int per_bank, int per_bust, Filled first_mass, Filled second_mass, Filled first_ended, Filled second_ended,
           Counter done, Flag cancelled) {
            const Plan plans[2] = {first.view(), second.view()};
            const int target[2] = {first_target, second_target};
            const CountLaw law{counts,
                               per_bank,
                               per_bust,
                               {first_mass.data(), second_mass.data()},
                               {first_ended.data(), second_ended.data()}};
            const Watch watch = watch_of(done, cancelled);
            nb::gil_scoped_release release;
            count_law(plans, target, exact, law, watch);
        },
        nb::arg("first"), nb::arg("second"), nb::kw_only(), nb::arg("first_target"), nb::arg("second_target"),
        nb::arg("exact"), nb::arg("counts"), nb::arg("per_bank"), nb::arg("per_bust"), nb::arg("first_mass"),
        nb::arg("second_mass"), nb::arg("first_ended"), nb::arg("second_ended"), nb::arg("done"), nb::arg("cancelled"));
}
