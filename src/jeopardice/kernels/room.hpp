// Memory for vectors of four lanes: aligned as their registers are, grown as needed, its content kept.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

namespace jeopardice {

template <class T>
class Room {
    static constexpr std::align_val_t alignment{64};
    struct Release {
        void operator()(T *memory) const { ::operator delete(static_cast<void *>(memory), alignment); }
    };
    std::unique_ptr<T, Release> memory;
    size_t room = 0;

  public:
    T *need(size_t size) {
        if (size > room) {
            const size_t wanted = std::max(size, room + room / 2);
            std::unique_ptr<T, Release> larger(static_cast<T *>(::operator new(wanted * sizeof(T), alignment)));
            if (room)
                std::memcpy(static_cast<void *>(larger.get()), static_cast<const void *>(memory.get()), room * sizeof(T));
            memory = std::move(larger);
            room = wanted;
        }
        return memory.get();
    }
    T *data() const { return memory.get(); }
};

}  // namespace jeopardice
