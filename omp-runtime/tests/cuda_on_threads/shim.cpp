// What runs the kernels of `shim.h`.
#include <atomic>
#include <functional>
#include <sanitizer/tsan_interface.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <thread>
#include <ucontext.h>
#include <unistd.h>
#include <utility>
#include <vector>

struct dim3 {
    unsigned x, y, z;
};
struct Task {
    unsigned grid, block, at_once, seed, launches;
};

enum Waits { NOTHING, WARP, BLOCK };

struct Fiber {
    ucontext_t context;
    void* sanitizer;
    void* stack;
    dim3 id;
    bool done;
    Waits waits;
};

static const size_t STACK = 512 << 10;

// A block that runs on this thread.
struct Block {
    dim3 id;
    std::vector<Fiber> fibers;
    Fiber* current;
    ucontext_t home;
    void* home_sanitizer;
    const std::function<void()>* kernel;
    unsigned long long shuffled[1024];
    bool voted[1024];
    char of_block, of_warp[32];
};

static thread_local Block* block;
static thread_local unsigned long long lots;
static unsigned restless;

static unsigned draw() {
    lots = lots * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(lots >> 33);
}

dim3 shim_thread() { return block->current->id; }
dim3 shim_block() { return block->id; }

static void leave() {
    Fiber* self = block->current;
    __tsan_switch_to_fiber(block->home_sanitizer, 1);
    swapcontext(&self->context, &block->home);
}

static void wait_for(Waits whom, char* here) {
    block->current->waits = whom;
    __tsan_release(here);
    leave();
    __tsan_acquire(here);
}

void shim_wait_for_block() { wait_for(BLOCK, &block->of_block); }
void shim_wait_for_warp() { wait_for(WARP, &block->of_warp[shim_thread().x / 32]); }

// Others may go on here, of this block and of others.
void shim_yield() {
    const unsigned lot = draw();
    if (restless && lot % 64 == 0) usleep(draw() % (restless * 100));
    if (restless && lot % 8 == 0) std::this_thread::yield();
    if (lot % 4 == 0) leave();
}

unsigned long long shim_shuffle(unsigned long long bits, unsigned from) {
    const unsigned id = shim_thread().x;
    block->shuffled[id] = bits;
    shim_wait_for_warp();
    if (from < 32 && id / 32 * 32 + from < block->fibers.size()) bits = block->shuffled[id / 32 * 32 + from];
    shim_wait_for_warp();
    return bits;
}

unsigned shim_ballot(bool vote) {
    const unsigned id = shim_thread().x, first = id / 32 * 32;
    block->voted[id] = vote;
    shim_wait_for_warp();
    unsigned all = 0;
    for (unsigned lane = 0; lane < 32 && first + lane < block->fibers.size(); lane++) {
        all |= (unsigned)block->voted[first + lane] << lane;
    }
    shim_wait_for_warp();
    return all;
}

static void fiber_main() {
    (*block->kernel)();
    block->current->done = true;
    __tsan_release(&block->of_block);
    leave();
}

// Releases threads at barriers that all threads of the warp or block have reached. Threads that have returned count as absent: such a
// barrier of their warp or block is never complete.
static void open_barriers(Block& b) {
    size_t at_block = 0;
    for (size_t first = 0; first < b.fibers.size(); first += 32) {
        size_t at_warp = 0, lanes = 0;
        for (size_t t = first; t < first + 32 && t < b.fibers.size(); t++) {
            lanes++;
            at_warp += b.fibers[t].waits == WARP;
            at_block += b.fibers[t].waits == BLOCK;
        }
        if (at_warp == lanes) {
            for (size_t t = first; t < first + lanes; t++) b.fibers[t].waits = NOTHING;
        }
    }
    if (at_block == b.fibers.size()) {
        for (auto& fiber : b.fibers) fiber.waits = NOTHING;
    }
}

static void run_block(Block& b, unsigned threads) {
    b.fibers.resize(threads);
    b.home_sanitizer = __tsan_get_current_fiber();
    for (unsigned t = 0; t < threads; t++) {
        Fiber& fiber = b.fibers[t];
        fiber.id = {t, 0, 0};
        fiber.done = false;
        fiber.waits = NOTHING;
        fiber.sanitizer = __tsan_create_fiber(0);
        fiber.stack = mmap(nullptr, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        getcontext(&fiber.context);
        fiber.context.uc_stack = {fiber.stack, 0, STACK};
        fiber.context.uc_link = nullptr;
        makecontext(&fiber.context, fiber_main, 0);
    }
    std::vector<Fiber*> ready;
    for (;;) {
        open_barriers(b);
        ready.clear();
        size_t done = 0;
        for (auto& fiber : b.fibers) {
            done += fiber.done;
            if (!fiber.done && fiber.waits == NOTHING) ready.push_back(&fiber);
        }
        if (done == threads) break;
        if (ready.empty()) {
            fprintf(stderr, "block %u: a barrier that not all threads reach\n", b.id.x);
            _exit(3);
        }
        // By lot, but each once before any goes on twice.
        for (size_t k = ready.size(); k > 1; k--) std::swap(ready[k - 1], ready[draw() % k]);
        for (Fiber* fiber : ready) {
            b.current = fiber;
            __tsan_switch_to_fiber(fiber->sanitizer, 1);
            swapcontext(&b.home, &fiber->context);
        }
    }
    for (auto& fiber : b.fibers) {
        __tsan_acquire(&b.of_block);
        __tsan_destroy_fiber(fiber.sanitizer);
        munmap(fiber.stack, STACK);
    }
}

void shim_run(const Task& task, const std::function<void()>& kernel) {
    restless = task.at_once > 1 ? task.seed % 4 : 0;
    for (unsigned launch = 0; launch < task.launches; launch++) {
        lots = task.seed * 977ull + launch;
        std::vector<unsigned> order(task.grid);
        for (unsigned b = 0; b < task.grid; b++) order[b] = b;
        for (unsigned k = task.grid; task.seed && k > 1; k--) std::swap(order[k - 1], order[draw() % k]);
        std::atomic<unsigned> next(0);
        std::vector<std::thread> workers;
        for (unsigned w = 0; w < task.at_once && w < task.grid; w++) {
            workers.emplace_back([&, w] {
                lots = (task.seed * 31ull + w) * 7919 + launch;
                for (unsigned k; (k = next.fetch_add(1, std::memory_order_relaxed)) < order.size();) {
                    Block here;
                    here.id = {order[k], 0, 0};
                    here.kernel = &kernel;
                    block = &here;
                    run_block(here, task.block);
                }
            });
        }
        for (auto& worker : workers) worker.join();
    }
}
