// The threads of a grid as fibers of one thread of the machine: each runs until it meets a barrier, a fence or an
// atomic, then another goes on, by a seed. Shared memory belongs to the block that runs: it changes with it.
#pragma once
#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <sys/mman.h>
#include <vector>

#ifndef __x86_64__
#error "the emulator switches between fibers on x86-64 only"
#endif

namespace emulator {
typedef unsigned long long u64;

struct Place {
    unsigned x, y, z;
};

struct Launch {
    Place grid, block;
    Place *thread, *block_id, *block_dim, *grid_dim;
    u64 (**lanes)[5];
    char *shared, *shared_end;
    unsigned resident;
    size_t stack;
    std::function<u64()> random;
    std::function<void()> body;
};

enum State { READY, AT_BLOCK, AT_WARP, DONE };

// Saves what a call keeps and changes stacks.
extern "C" void emulator_switch(void** from, void* to);
asm(R"(
.text
.globl emulator_switch
.hidden emulator_switch
.type emulator_switch, @function
emulator_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.size emulator_switch, .-emulator_switch
)");

struct Fiber {
    char* stack = nullptr;
    void* at = nullptr;
    State state = READY;
    unsigned lanes = 0;
    int line = 0;
};

struct Resident {
    Place id;
    std::vector<Fiber> fibers;
    std::vector<u64> lanes; // 5 words for each lane of each warp
    std::vector<char> shared;
    unsigned left = 0;
};

// Of the launch that runs.
struct Running {
    const Launch* launch = nullptr;
    Resident* block = nullptr;
    unsigned fiber = 0;
    void* scheduler = nullptr;
};
inline Running running;

inline void stop(int kind, unsigned lanes, int line) {
    Fiber& me = running.block->fibers[running.fiber];
    me.state = kind == 0 ? AT_BLOCK : kind == 1 ? AT_WARP : READY;
    me.lanes = lanes;
    me.line = line;
    emulator_switch(&me.at, running.scheduler);
}

inline void enter() {
    running.launch->body();
    Fiber& me = running.block->fibers[running.fiber];
    me.state = DONE;
    running.block->left--;
    emulator_switch(&me.at, running.scheduler);
    __builtin_trap();
}

// Stacks, kept from launch to launch. A page below each can't be touched.
struct Stacks {
    std::vector<char*> free;
    size_t bytes = 0;

    char* take(size_t wanted) {
        if (wanted != bytes) {
            for (char* stack : free) munmap(stack, bytes);
            free.clear();
            bytes = wanted;
        }
        if (!free.empty()) {
            char* stack = free.back();
            free.pop_back();
            return stack;
        }
        void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (at == MAP_FAILED) return nullptr;
        mprotect(at, 4096, PROT_NONE);
        return (char*)at;
    }
};
inline Stacks stacks;

inline bool begin(Resident& block, u64 number) {
    const Launch& l = *running.launch;
    const u64 x = l.grid.x, y = l.grid.y;
    block.id = {(unsigned)(number % x), (unsigned)(number / x % y), (unsigned)(number / (x * y))};
    const unsigned threads = l.block.x * l.block.y * l.block.z;
    block.fibers.resize(threads);
    block.lanes.assign((threads + 31) / 32 * 160, 0x5a5a5a5a5a5a5a5aull);
    block.shared.assign(l.shared_end - l.shared, (char)0xcd);
    block.left = threads;
    for (Fiber& fiber : block.fibers) {
        if (!fiber.stack) fiber.stack = stacks.take(l.stack);
        if (!fiber.stack) return false;
        void** top = (void**)(fiber.stack + l.stack - 64);
        top[0] = (void*)enter; // where the switch returns to; above it the stack is aligned as after a call
        top[1] = nullptr;
        fiber.at = top - 6;
        for (int i = 1; i <= 6; i++) top[-i] = nullptr;
        fiber.state = READY;
    }
    return true;
}

// Lets those go on who have all come. Says what is wrong, if they can't.
inline std::string meet(Resident& block) {
    bool all = true;
    int line = -1;
    for (const Fiber& f : block.fibers) {
        if (f.state == DONE) continue;
        if (f.state != AT_BLOCK) {
            all = false;
            continue;
        }
        if (line >= 0 && f.line != line) {
            return "threads of a block stop at different barriers: lines " + std::to_string(line) + " and " + std::to_string(f.line) + " of the kernel";
        }
        line = f.line;
    }
    if (all) {
        for (Fiber& f : block.fibers) {
            if (f.state == AT_BLOCK) f.state = READY;
        }
        return "";
    }
    for (size_t first = 0; first < block.fibers.size(); first += 32) {
        const size_t end = std::min(first + 32, block.fibers.size());
        for (size_t i = first; i < end; i++) {
            if (block.fibers[i].state != AT_WARP) continue;
            const unsigned lanes = block.fibers[i].lanes;
            if (!(lanes >> (i - first) & 1)) return "a thread stops for lanes of which it is none";
            bool come = true;
            for (size_t k = first; k < end; k++) {
                const Fiber& f = block.fibers[k];
                if (lanes >> (k - first) & 1 && f.state != DONE && !(f.state == AT_WARP && f.lanes == lanes)) come = false;
            }
            if (!come) continue;
            for (size_t k = first; k < end; k++) {
                Fiber& f = block.fibers[k];
                if (lanes >> (k - first) & 1 && f.state == AT_WARP) f.state = READY;
            }
        }
    }
    return "";
}

// Lets the threads of a block that can go on do so, each once. False if none could.
inline bool turn(Resident& block) {
    const Launch& l = *running.launch;
    const size_t shared = block.shared.size(), threads = block.fibers.size();
    running.block = &block;
    *l.block_id = block.id;
    if (shared) memcpy(l.shared, block.shared.data(), shared);
    bool went = false;
    // Forwards or backwards, from anywhere.
    const size_t from = l.random() % threads;
    const bool back = l.random() & 1;
    for (size_t k = 0; k < threads; k++) {
        const size_t i = back ? (from + threads - k) % threads : (from + k) % threads;
        Fiber& fiber = block.fibers[i];
        if (fiber.state != READY) continue;
        went = true;
        running.fiber = (unsigned)i;
        const unsigned x = l.block.x, y = l.block.y;
        *l.thread = {(unsigned)(i % x), (unsigned)(i / x % y), (unsigned)(i / (x * y))};
        *l.lanes = (u64(*)[5])(block.lanes.data() + i / 32 * 160);
        emulator_switch(&running.scheduler, fiber.at);
    }
    if (shared) memcpy(block.shared.data(), l.shared, shared);
    return went;
}

// Runs a kernel. Gives what was wrong with it, or nothing.
inline std::string run(const Launch& launch) {
    running.launch = &launch;
    *launch.block_dim = launch.block;
    *launch.grid_dim = launch.grid;
    const u64 blocks = (u64)launch.grid.x * launch.grid.y * launch.grid.z;
    std::vector<std::unique_ptr<Resident>> resident;
    u64 next = 0;
    std::string wrong;
    unsigned idle = 0;
    while (wrong.empty()) {
        while (resident.size() < launch.resident && next < blocks) {
            resident.push_back(std::make_unique<Resident>());
            if (!begin(*resident.back(), next++)) return "no memory for the stacks of a block";
        }
        if (resident.empty()) break;
        const size_t at = launch.random() % resident.size();
        Resident& block = *resident[at];
        const bool went = turn(block);
        if (block.left == 0) {
            idle = 0;
            if (next < blocks) {
                if (!begin(block, next++)) return "no memory for the stacks of a block";
                continue;
            }
            for (Fiber& fiber : block.fibers) stacks.free.push_back(fiber.stack);
            resident.erase(resident.begin() + (long)at);
            continue;
        }
        wrong = meet(block);
        idle = went ? 0 : idle + 1;
        if (idle > 64 * launch.resident) wrong = "a barrier that not all threads of the block reach";
    }
    return wrong;
}
} // namespace emulator
