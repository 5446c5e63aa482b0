// A CUDA driver without a GPU: device memory is memory of the process, kernels (compiled by nvrtc.cpp) run on the
// thread that waits for them, and streams are run as late and in as unkind an order as the driver's rules allow, by a
// seed. What the rules forbid ends the process with a message: device memory written beside its bounds, memory freed
// while queued work uses it, threads of a block that stop at different barriers, blocks that wait for ever.
//
// CUDA_EMULATOR_SEED=n      another order
// CUDA_EMULATOR_MEMORY=n    bytes of device memory (4 GiB)
// CUDA_EMULATOR_RESIDENT=n  blocks that are on the device at once (1)
#include "fibers.h"
#include <algorithm>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <dlfcn.h>
#include <elf.h>
#include <functional>
#include <link.h>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include <vector>

namespace {
typedef unsigned long long u64;
typedef u64 Address;

enum {
    SUCCESS = 0,
    INVALID_VALUE = 1,
    OUT_OF_MEMORY = 2,
    NOT_INITIALIZED = 3,
    INVALID_DEVICE = 101,
    INVALID_IMAGE = 200,
    INVALID_CONTEXT = 201,
    INVALID_HANDLE = 400,
    NOT_FOUND = 500,
    NOT_READY = 600,
    ILLEGAL_ADDRESS = 700,
};

[[noreturn]] void broken(const std::string& what) {
    fprintf(stderr, "cuda emulator: %s\n", what.c_str());
    fflush(stderr);
    abort();
}

u64 setting(const char* name, u64 otherwise) {
    const char* text = getenv(name);
    return text ? strtoull(text, nullptr, 0) : otherwise;
}

double now_ms() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

// ---- memory

const size_t PAGE = 4096, ALIGN = 256;

struct Block {
    char* mapping;
    size_t mapped, bytes;
};

// One recording of an event. Who waits for it does so whatever becomes of the event.
struct Mark {
    bool reached = false;
    double at = 0;
};

struct Event {
    std::shared_ptr<Mark> last;

    bool reached() const { return !last || last->reached; }
};

struct Op {
    std::function<int()> run;
    // Waits until this has been reached.
    std::shared_ptr<Mark> after;
    // Host memory that it will touch.
    const char* host = nullptr;
    size_t bytes = 0;
};

struct Stream {
    std::deque<Op> ops;
};

struct Entry {
    unsigned count;
    const unsigned* sizes;
    void (*run)(char** args);
};

struct Module {
    void* object = nullptr;
    char *shared = nullptr, *shared_end = nullptr;
    emulator::Place *thread, *block, *block_dim, *grid_dim;
    u64 (**lanes)[5];
    std::vector<std::unique_ptr<struct Function>> functions;
};

// Bytes of shared memory: that a kernel may declare, and that a block may have.
const long DECLARED_SHARED = 48 << 10, MOST_SHARED = 227 << 10;
const int MAX_DYNAMIC_SHARED_SIZE_BYTES = 8;

// The structures of `cuLaunchKernelEx`.
struct LaunchAttribute {
    int id;
    char pad[4], value[64];
};
struct LaunchConfig {
    unsigned grid[3], block[3], shared;
    void* stream;
    const LaunchAttribute* attribute;
    unsigned attributes;
};
const int PROGRAMMATIC_STREAM_SERIALIZATION = 6;

struct Function {
    Module* module;
    const Entry* entry;
    // What launches may ask for.
    unsigned granted = DECLARED_SHARED;
};

struct Driver {
    std::recursive_mutex mutex;
    u64 random = setting("CUDA_EMULATOR_SEED", 1) * 0x9e3779b97f4a7c15ull + 1;
    const u64 capacity = setting("CUDA_EMULATOR_MEMORY", 4ull << 30);
    const u64 resident = std::max<u64>(1, setting("CUDA_EMULATOR_RESIDENT", 1));
    u64 used = 0;
    size_t stack = 1024;
    int lost = SUCCESS;
    bool started = false;
    std::map<Address, Block> memory;
    std::map<const char*, size_t> pinned;
    std::vector<Stream*> streams{new Stream};
    u64 events = 0;
    // The call that is to fail, counted down, and how.
    u64 until_failure = 0, calls = 0;
    int failure = SUCCESS;

    u64 next() {
        random = random * 6364136223846793005ull + 1442695040888963407ull;
        return random >> 33;
    }
};

// Never destroyed: the program's own destructors may still call.
Driver& driver() {
    static Driver* one = new Driver;
    return *one;
}
thread_local void* current;
int context_of_device;

const Block* block_at(Address at, size_t bytes) {
    auto& memory = driver().memory;
    auto it = memory.upper_bound(at);
    if (it == memory.begin()) return nullptr;
    --it;
    return at + bytes <= it->first + it->second.bytes ? &it->second : nullptr;
}

bool pinned_at(const void* at, size_t bytes) {
    auto& pinned = driver().pinned;
    auto it = pinned.upper_bound((const char*)at);
    if (it == pinned.begin()) return false;
    --it;
    return (const char*)at + bytes <= it->first + it->second;
}

// The allocation ends just before a page that can't be touched, as far as its alignment lets it.
Address allocate(size_t bytes) {
    Driver& d = driver();
    if (bytes == 0 || d.used + bytes > d.capacity) return 0;
    Block block;
    block.bytes = bytes;
    const size_t room = (bytes + ALIGN - 1) / ALIGN * ALIGN;
    block.mapped = (room + PAGE - 1) / PAGE * PAGE + 2 * PAGE;
    void* at = mmap(nullptr, block.mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) return 0;
    block.mapping = (char*)at;
    mprotect(block.mapping, PAGE, PROT_NONE);
    mprotect(block.mapping + block.mapped - PAGE, PAGE, PROT_NONE);
    char* start = block.mapping + block.mapped - PAGE - room;
    memset(start, 0xa5, std::min<size_t>(bytes, 1 << 20));
    d.used += bytes;
    d.memory[(Address)start] = block;
    return (Address)start;
}

void release(Address at) {
    Driver& d = driver();
    auto it = d.memory.find(at);
    if (it == d.memory.end()) broken("memory is freed that was not allocated, or twice");
    const Block block = it->second;
    munmap(block.mapping, block.mapped);
    d.used -= block.bytes;
    d.memory.erase(it);
}

// ---- kernels

sigjmp_buf out_of_kernel;
volatile sig_atomic_t in_kernel;
struct sigaction before_segv, before_bus, before_fpe;

void fault(int signal, siginfo_t* info, void* context) {
    if (in_kernel) {
        in_kernel = 0;
        void* const at = (void*)((ucontext_t*)context)->uc_mcontext.gregs[REG_RIP];
        Dl_info where = {};
        const bool known = dladdr(at, &where) != 0 && where.dli_sname;
        fprintf(stderr, "cuda emulator: signal %d at address %p, in %s (thread %u)\n", signal, info->si_addr,
            known ? where.dli_sname : "a kernel", emulator::running.fiber);
        siglongjmp(out_of_kernel, signal);
    }
    const struct sigaction& before = signal == SIGSEGV ? before_segv : signal == SIGBUS ? before_bus : before_fpe;
    if (before.sa_flags & SA_SIGINFO && before.sa_sigaction) {
        before.sa_sigaction(signal, info, context);
    } else {
        sigaction(signal, &before, nullptr);
    }
}

void catch_faults() {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigaction(SIGSEGV, &action, &before_segv);
    sigaction(SIGBUS, &action, &before_bus);
    sigaction(SIGFPE, &action, &before_fpe);
}

// Bytes of variables that a thread of a device may have.
constexpr size_t LOCAL = 512 << 10;

int run_kernel(const Function& function, emulator::Place grid, emulator::Place block, std::vector<char*>& args) {
    Driver& d = driver();
    Module& module = *function.module;
    // A handler needs a stack of its own where a thread's has run over.
    static char* const alternate = (char*)mmap(nullptr, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    stack_t other = {}, before = {};
    other.ss_sp = alternate;
    other.ss_size = 1 << 16;
    sigaltstack(&other, &before);
    const int signal = sigsetjmp(out_of_kernel, 1);
    int result = SUCCESS;
    if (signal == 0) {
        in_kernel = 1;
        emulator::Launch launch = {grid, block, module.thread, module.block, module.block_dim, module.grid_dim,
            module.lanes, module.shared, module.shared_end, (unsigned)d.resident, LOCAL + (1 << 18), [&] { return d.next(); },
            [&] { function.entry->run(args.data()); }};
        launch.stack += 4 * d.stack;
        const std::string wrong = emulator::run(launch);
        in_kernel = 0;
        if (!wrong.empty()) broken(wrong);
    } else {
        result = ILLEGAL_ADDRESS;
    }
    sigaltstack(&before, nullptr);
    return result;
}

// ---- streams

bool ready(const Op& op) { return !op.after || op.after->reached; }

// Runs one operation of some stream; false if there is none that may run.
bool step() {
    Driver& d = driver();
    std::vector<Stream*> able;
    for (Stream* stream : d.streams) {
        if (!stream->ops.empty() && ready(stream->ops.front())) able.push_back(stream);
    }
    if (able.empty()) return false;
    Stream* stream = able[d.next() % able.size()];
    Op op = std::move(stream->ops.front());
    stream->ops.pop_front();
    if (op.run && d.lost == SUCCESS) d.lost = op.run();
    return true;
}

template <class Done> int until(Done done) {
    Driver& d = driver();
    while (!done()) {
        if (!step()) broken("a wait that never ends: no queued work may run");
    }
    return d.lost;
}

int everything() {
    return until([] {
        const auto& streams = driver().streams;
        return std::all_of(streams.begin(), streams.end(), [](Stream* s) { return s->ops.empty(); });
    });
}

// Queues, and lets the device work for a while, or not at all.
int queue(void* stream, Op op) {
    Driver& d = driver();
    Stream* s = stream ? (Stream*)stream : d.streams[0];
    if (std::find(d.streams.begin(), d.streams.end(), s) == d.streams.end()) return INVALID_HANDLE;
    s->ops.push_back(std::move(op));
    if (d.next() % 2 == 0) {
        for (u64 n = d.next() % 4; n > 0 && step(); n--) {}
    }
    return d.lost;
}

// A call that may fail for no reason, if a test wants it.
int chance() {
    Driver& d = driver();
    d.calls++;
    return d.until_failure > 0 && --d.until_failure == 0 ? d.failure : SUCCESS;
}

#define LOCKED std::lock_guard<std::recursive_mutex> locked(driver().mutex)
#define WITHIN                                            \
    LOCKED;                                               \
    if (!driver().started) return NOT_INITIALIZED;        \
    if (!current) return INVALID_CONTEXT;                 \
    if (driver().lost != SUCCESS) return driver().lost
#define FALLIBLE                                          \
    WITHIN;                                               \
    if (const int failed = chance()) return failed

size_t image_bytes(const char* image) {
    const Elf64_Ehdr* head = (const Elf64_Ehdr*)image;
    return head->e_shoff + (size_t)head->e_shnum * head->e_shentsize;
}

template <class T> bool symbol(void* object, const char* name, T& into) {
    into = (T)dlsym(object, name);
    return into != nullptr;
}
} // namespace

extern "C" {
// ---- for tests

// The `n`-th call from now that may fail does so (1 is the next; 0: none).
void emulator_fail(u64 n, int error) {
    LOCKED;
    driver().until_failure = n;
    driver().failure = error;
}
// How many calls there were that may fail.
u64 emulator_calls() {
    LOCKED;
    return driver().calls;
}
// What was not given back: bytes of device memory, blocks of pinned memory, events, streams.
void emulator_live(u64 (*live)[4]) {
    LOCKED;
    const Driver& d = driver();
    (*live)[0] = d.used;
    (*live)[1] = d.pinned.size();
    (*live)[2] = d.events;
    (*live)[3] = d.streams.size() - 1;
}

// ---- device and context

int cuInit(unsigned) {
    LOCKED;
    if (!driver().started) catch_faults();
    driver().started = true;
    return SUCCESS;
}
int cuDriverGetVersion(int* version) {
    *version = 13000;
    return SUCCESS;
}
int cuDeviceGetCount(int* count) {
    *count = 1;
    return SUCCESS;
}
int cuDeviceGet(int* device, int ordinal) {
    *device = ordinal;
    return ordinal == 0 ? SUCCESS : INVALID_DEVICE;
}
int cuDeviceGetName(char* name, int length, int) {
    snprintf(name, length, "CUDA emulator");
    return SUCCESS;
}
int cuDeviceTotalMem_v2(size_t* bytes, int) {
    *bytes = driver().capacity;
    return SUCCESS;
}
int cuDeviceGetAttribute(int* value, int attribute, int) {
    switch (attribute) {
    case 1: *value = 1024; break;   // threads of a block
    case 8: *value = 48 << 10; break; // shared memory of a block
    case 10: *value = 32; break;    // lanes of a warp
    case 16: *value = 3; break;     // multiprocessors
    case 39: *value = 2048; break;  // threads of a multiprocessor
    case 75: *value = 9; break;     // compute capability
    case 40: *value = 2; break;     // copy engines
    case 41: *value = 1; break;     // unified addressing
    case 115: *value = 1; break;    // memory pools
    default: *value = 0;
    }
    return SUCCESS;
}
int cuGetErrorString(int error, const char** text) {
    *text = error == SUCCESS ? "no error" : error == ILLEGAL_ADDRESS ? "an illegal memory access" : "an error of the emulator's";
    return SUCCESS;
}
int cuGetErrorName(int, const char** text) {
    *text = "CUDA_ERROR";
    return SUCCESS;
}
int cuDevicePrimaryCtxRetain(void** context, int) {
    *context = &context_of_device;
    return driver().lost;
}
int cuDevicePrimaryCtxRelease_v2(int) { return SUCCESS; }
int cuCtxGetCurrent(void** context) {
    *context = current;
    return SUCCESS;
}
int cuCtxSetCurrent(void* context) {
    current = context;
    return SUCCESS;
}
int cuCtxGetLimit(size_t* value, int limit) {
    FALLIBLE;
    if (limit != 0) return INVALID_VALUE;
    *value = driver().stack;
    return SUCCESS;
}
int cuCtxSetLimit(int limit, size_t value) {
    FALLIBLE;
    if (limit != 0) return INVALID_VALUE;
    const int result = everything();
    driver().stack = value;
    return result;
}
int cuCtxSynchronize() {
    WITHIN;
    return everything();
}
int cuCtxGetStreamPriorityRange(int* least, int* greatest) {
    *least = *greatest = 0;
    return SUCCESS;
}

// ---- memory

int cuMemGetInfo_v2(size_t* free, size_t* total) {
    FALLIBLE;
    *free = driver().capacity - driver().used;
    *total = driver().capacity;
    return SUCCESS;
}
int cuMemAlloc_v2(Address* at, size_t bytes) {
    FALLIBLE;
    if (bytes == 0) return INVALID_VALUE;
    *at = allocate(bytes);
    return *at ? SUCCESS : OUT_OF_MEMORY;
}
// Waits for what is queued, as the driver does.
int cuMemFree_v2(Address at) {
    WITHIN;
    const int result = everything();
    release(at);
    return result;
}
int cuMemAllocAsync(Address* at, size_t bytes, void*) { return cuMemAlloc_v2(at, bytes); }
int cuMemFreeAsync(Address at, void* stream) {
    WITHIN;
    Op op;
    op.run = [=] {
        release(at);
        return (int)SUCCESS;
    };
    return queue(stream, std::move(op));
}
int cuDeviceGetDefaultMemPool(void** pool, int) {
    *pool = &context_of_device;
    return SUCCESS;
}
int cuMemPoolSetAttribute(void*, int, void*) { return SUCCESS; }
int cuMemPoolTrimTo(void*, size_t) { return SUCCESS; }
int cuMemHostAlloc(void** at, size_t bytes, unsigned) {
    FALLIBLE;
    if (posix_memalign(at, PAGE, std::max<size_t>(bytes, 1)) != 0) return OUT_OF_MEMORY;
    memset(*at, 0xa5, std::min<size_t>(bytes, 1 << 20));
    driver().pinned[(const char*)*at] = bytes;
    return SUCCESS;
}
int cuMemFreeHost(void* at) {
    LOCKED;
    Driver& d = driver();
    const auto it = d.pinned.find((const char*)at);
    if (it == d.pinned.end()) broken("pinned memory is freed that was not allocated, or twice");
    for (Stream* stream : d.streams) {
        for (const Op& op : stream->ops) {
            if (op.host && op.host < it->first + it->second && it->first < op.host + op.bytes) {
                broken("pinned memory is freed while a queued copy uses it");
            }
        }
    }
    d.pinned.erase(it);
    free(at);
    return SUCCESS;
}
int cuMemHostGetDevicePointer_v2(Address* address, void* host, unsigned) {
    FALLIBLE;
    *address = (Address)host;
    return pinned_at(host, 1) ? SUCCESS : INVALID_VALUE;
}

static int copy(Address to, Address from, size_t bytes, const void* host, void* stream) {
    if (bytes == 0) return SUCCESS;
    Op op;
    op.host = (const char*)host;
    op.bytes = bytes;
    op.run = [=] {
        memcpy((void*)to, (const void*)from, bytes);
        return (int)SUCCESS;
    };
    return queue(stream, std::move(op));
}
static bool device_range(Address at, size_t bytes) {
    Dl_info info;
    return block_at(at, bytes) || dladdr((void*)at, &info) != 0;
}
int cuMemcpyHtoDAsync_v2(Address to, const void* from, size_t bytes, void* stream) {
    FALLIBLE;
    if (!device_range(to, bytes)) return INVALID_VALUE;
    if (pinned_at(from, bytes)) return copy(to, (Address)from, bytes, from, stream);
    // Pageable memory is copied before the call returns.
    auto taken = std::make_shared<std::vector<char>>((const char*)from, (const char*)from + bytes);
    Op op;
    op.run = [=] {
        memcpy((void*)to, taken->data(), bytes);
        return (int)SUCCESS;
    };
    return queue(stream, std::move(op));
}
int cuMemcpyDtoHAsync_v2(void* to, Address from, size_t bytes, void* stream) {
    FALLIBLE;
    if (!device_range(from, bytes)) return INVALID_VALUE;
    const int result = copy((Address)to, from, bytes, to, stream);
    if (result != SUCCESS || pinned_at(to, bytes)) return result;
    Stream* s = stream ? (Stream*)stream : driver().streams[0];
    return until([=] { return s->ops.empty(); });
}
int cuMemcpyDtoDAsync_v2(Address to, Address from, size_t bytes, void* stream) {
    FALLIBLE;
    if (!device_range(to, bytes) || !device_range(from, bytes)) return INVALID_VALUE;
    return copy(to, from, bytes, nullptr, stream);
}
int cuMemsetD8Async(Address at, unsigned char value, size_t bytes, void* stream) {
    FALLIBLE;
    if (!device_range(at, bytes)) return INVALID_VALUE;
    Op op;
    op.run = [=] {
        memset((void*)at, value, bytes);
        return (int)SUCCESS;
    };
    return queue(stream, std::move(op));
}

// ---- streams and events

int cuStreamCreate(void** stream, unsigned) {
    FALLIBLE;
    Stream* s = new Stream;
    driver().streams.push_back(s);
    *stream = s;
    return SUCCESS;
}
int cuStreamCreateWithPriority(void** stream, unsigned flags, int) { return cuStreamCreate(stream, flags); }
int cuStreamDestroy_v2(void* stream) {
    WITHIN;
    Driver& d = driver();
    const auto it = std::find(d.streams.begin(), d.streams.end(), (Stream*)stream);
    if (it == d.streams.end()) return INVALID_HANDLE;
    const int result = until([=] { return ((Stream*)stream)->ops.empty(); });
    d.streams.erase(std::find(d.streams.begin(), d.streams.end(), (Stream*)stream));
    delete (Stream*)stream;
    return result;
}
int cuStreamSynchronize(void* stream) {
    FALLIBLE;
    Stream* s = stream ? (Stream*)stream : driver().streams[0];
    return until([=] { return s->ops.empty(); });
}
int cuStreamQuery(void* stream) {
    FALLIBLE;
    step();
    return ((Stream*)stream)->ops.empty() ? SUCCESS : NOT_READY;
}
int cuEventCreate(void** event, unsigned) {
    FALLIBLE;
    *event = new Event;
    driver().events++;
    return SUCCESS;
}
int cuEventDestroy_v2(void* event) {
    LOCKED;
    driver().events--;
    delete (Event*)event;
    return SUCCESS;
}
int cuEventRecord(void* event, void* stream) {
    FALLIBLE;
    auto mark = std::make_shared<Mark>();
    ((Event*)event)->last = mark;
    Op op;
    op.run = [=] {
        mark->reached = true;
        mark->at = now_ms();
        return (int)SUCCESS;
    };
    return queue(stream, std::move(op));
}
int cuStreamWaitEvent(void* stream, void* event, unsigned) {
    FALLIBLE;
    Op op;
    op.after = ((Event*)event)->last;
    return queue(stream, std::move(op));
}
int cuEventQuery(void* event) {
    FALLIBLE;
    const Event* e = (Event*)event;
    step();
    return driver().lost != SUCCESS ? driver().lost : e->reached() ? SUCCESS : NOT_READY;
}
int cuEventSynchronize(void* event) {
    FALLIBLE;
    const Event* e = (Event*)event;
    const auto last = e->last;
    return until([=] { return !last || last->reached; });
}
int cuEventElapsedTime(float* ms, void* start, void* end) {
    WITHIN;
    const Event *s = (Event*)start, *e = (Event*)end;
    if (!s->last || !e->last) return INVALID_HANDLE;
    if (!s->reached() || !e->reached()) return NOT_READY;
    *ms = (float)(e->last->at - s->last->at);
    return SUCCESS;
}
int cuEventElapsedTime_v2(float* ms, void* start, void* end) { return cuEventElapsedTime(ms, start, end); }

// ---- modules

int cuModuleLoadData(void** module, const void* image) {
    FALLIBLE;
    if (memcmp(image, ELFMAG, SELFMAG) != 0) return INVALID_IMAGE;
    // A name of its own: the loader takes two objects of one name for the same.
    char path[] = "/tmp/cuda-emulator-kernel-XXXXXX";
    const int file = mkstemp(path);
    const size_t bytes = image_bytes((const char*)image);
    const bool written = file >= 0 && write(file, image, bytes) == (ssize_t)bytes;
    auto m = std::make_unique<Module>();
    if (written) m->object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!m->object) fprintf(stderr, "cuda emulator: %s\n", dlerror());
    if (file >= 0) close(file);
    unlink(path);
    if (!m->object) return INVALID_IMAGE;
    void (**stop)(int, unsigned, int);
    const bool whole = symbol(m->object, "emulator_thread", m->thread) && symbol(m->object, "emulator_block", m->block)
        && symbol(m->object, "emulator_block_dim", m->block_dim) && symbol(m->object, "emulator_grid_dim", m->grid_dim)
        && symbol(m->object, "emulator_stop", stop) && symbol(m->object, "emulator_lanes", m->lanes);
    if (!whole) return INVALID_IMAGE;
    *stop = emulator::stop;
    // The linker gives a section of this kind its bounds.
    char **begin, **end;
    if (symbol(m->object, "emulator_section", begin) && symbol(m->object, "emulator_section_end", end)) {
        m->shared = *begin;
        m->shared_end = *end;
        // How much of it launches ask for, `cuLaunchKernel` looks at.
        if (m->shared_end - m->shared > MOST_SHARED) {
            fprintf(stderr, "cuda emulator: %ld bytes of shared memory\n", (long)(m->shared_end - m->shared));
            return INVALID_IMAGE;
        }
    }
    *module = m.release();
    return SUCCESS;
}
int cuModuleUnload(void* module) {
    WITHIN;
    const int result = everything();
    dlclose(((Module*)module)->object);
    delete (Module*)module;
    return result;
}
int cuModuleGetFunction(void** function, void* module, const char* name) {
    FALLIBLE;
    Module* m = (Module*)module;
    const Entry* entry;
    if (!symbol(m->object, (std::string(name) + "__entry").c_str(), entry)) return NOT_FOUND;
    m->functions.push_back(std::make_unique<Function>(Function{m, entry}));
    *function = m->functions.back().get();
    return SUCCESS;
}
int cuModuleGetGlobal_v2(Address* at, size_t* bytes, void* module, const char* name) {
    WITHIN;
    void* found = dlsym(((Module*)module)->object, name);
    if (!found) return NOT_FOUND;
    Dl_info info;
    ElfW(Sym)* entry = nullptr;
    if (!dladdr1(found, &info, (void**)&entry, RTLD_DL_SYMENT) || !entry) return NOT_FOUND;
    *at = (Address)found;
    *bytes = entry->st_size;
    return SUCCESS;
}
int cuFuncGetAttribute(int* value, int attribute, void*) {
    *value = attribute == 0 ? 1024 : 0;
    return SUCCESS;
}
int cuFuncSetAttribute(void* function, int attribute, int value) {
    const bool shared = attribute == MAX_DYNAMIC_SHARED_SIZE_BYTES;
    if (shared && (value < 0 || value > MOST_SHARED)) return INVALID_VALUE;
    if (shared) ((Function*)function)->granted = (unsigned)value;
    return SUCCESS;
}
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void*, int threads, size_t) {
    *blocks = threads > 0 ? 2048 / threads : 0;
    return SUCCESS;
}
int cuLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
    unsigned shared, void* stream, void** params, void** extra) {
    FALLIBLE;
    const Function* f = (const Function*)function;
    const u64 threads = (u64)bx * by * bz;
    const bool bad = !gx || !gy || !gz || gx > 0x7fffffffu || gy > 65535 || gz > 65535 || !threads || threads > 1024
        || bz > 64 || extra;
    // A kernel has what it declares, and what the launch asks for.
    const long declared = f->module->shared_end - f->module->shared - (long)shared;
    if (bad || shared > f->granted || declared < 0 || declared > DECLARED_SHARED) return INVALID_VALUE;
    auto bytes = std::make_shared<std::vector<std::vector<char>>>();
    for (unsigned i = 0; i < f->entry->count; i++) {
        const char* from = (const char*)params[i];
        bytes->emplace_back(from, from + f->entry->sizes[i]);
    }
    Op op;
    op.run = [=] {
        std::vector<char*> args;
        for (auto& arg : *bytes) args.push_back(arg.data());
        args.push_back(nullptr);
        return run_kernel(*f, {gx, gy, gz}, {bx, by, bz}, args);
    };
    return queue(stream, std::move(op));
}
int cuLaunchKernelEx(const LaunchConfig* config, void* function, void** params, void** extra) {
    // Streams are in order, so a kernel that may begin early waits as any other does.
    for (unsigned i = 0; i < config->attributes; i++)
        if (config->attribute[i].id != PROGRAMMATIC_STREAM_SERIALIZATION) return INVALID_VALUE;
    const unsigned *g = config->grid, *b = config->block;
    return cuLaunchKernel(function, g[0], g[1], g[2], b[0], b[1], b[2], config->shared, config->stream, params, extra);
}
}
