// Launches: what <<<...>>> is rewritten to, and the record that joins a launch with the checked copy of its kernel.
//
// A source is compiled twice: fast, and with every access of device code reported (DICE_CHECKED). Both objects hold
// the same launches in the same order, so the records pair up; variables of the checked object resolve to those of
// the fast one, because the dynamic linker looks there first.
#pragma once

#include "dice/cudaerrors.h"
#include "dice/vectortypes.h"

#ifndef DICE_CHECKED
#define DICE_CHECKED 0
#endif

extern "C" {
inline const DiceHostApi *dice_api = nullptr;
inline thread_local DiceThread *dice_thread = nullptr;
}

namespace dice {

inline dim3 asDim3(const DiceIndex &index) { return dim3(index); }

struct LaunchRecord
{
    const char *key;
    DiceRun run;
    DiceRun checkedRun;
    LaunchRecord *next;

    LaunchRecord(const char *keyOf, DiceRun runOf);
};

// One list an object; hidden, so that the two objects of an artefact do not share it.
inline __attribute__((visibility("hidden"))) LaunchRecord *launchRecords = nullptr;

inline LaunchRecord::LaunchRecord(const char *keyOf, DiceRun runOf)
    : key(keyOf)
    , run(runOf)
    , checkedRun(nullptr)
    , next(launchRecords)
{
    launchRecords = this;
}

struct LaunchSite
{
    const char *kernel;
    const char *file;
    int line;
};

struct LaunchShape
{
    dim3 grid;
    dim3 block;
    size_t sharedBytes;
};

template <class... Stream>
LaunchShape shape(dim3 grid, dim3 block, size_t sharedBytes = 0, const Stream &...)
{
    return {grid, block, sharedBytes};
}

inline void enterThread(DiceThread *thread) { dice_thread = thread; }

inline void advance(DiceIndex &next, const DiceIndex &size)
{
    if (++next.x < size.x)
        return;
    next.x = 0;
    if (++next.y < size.y)
        return;
    next.y = 0;
    ++next.z;
}

template <int Site, class Body>
struct LaunchEntry
{
    // A body that waits inside is left by a jump; another call of run then starts the next thread.
    __attribute__((no_sanitize("thread"))) static void run(const void *arguments, DiceThread *thread)
    {
        const Body &body = *static_cast<const Body *>(arguments);
        while (thread->claimed < thread->total) {
            const uint32_t number = thread->claimed++;
            thread->thread = number;
            thread->threadIdx = thread->next;
            advance(thread->next, thread->blockDim);
            body();
            const uint32_t ended = thread->thread;
            thread->warpExited[ended >> 5] |= 1u << (ended & 31);
            ++thread->exited;
            if (thread->waiting != 0)
                dice_api->threadExited(thread);
        }
    }
    static const char *key() { return __PRETTY_FUNCTION__; }
    static inline LaunchRecord record{key(), &run};
};

template <int Site, class Kernel, class... Arguments>
void launch(const LaunchSite &site, const LaunchShape &shape, Kernel kernel, Arguments... arguments)
{
    auto body = [=] { kernel(arguments...); };
    using Entry = LaunchEntry<Site, decltype(body)>;
    DiceLaunch launch = {site.kernel, site.file, site.line, shape.grid, shape.block, shape.sharedBytes,
                         Entry::record.run, Entry::record.checkedRun, &enterThread, &body, sizeof(body)};
    dice_api->launch(&launch);
}

// __shared__ variables: an offset for each variable and each instance of its function, found once.
template <class Type>
inline Type &sharedAt(uint64_t offset)
{
    return *reinterpret_cast<Type *>(dice_thread->sharedBase + offset);
}

inline char *dynamicShared() { return dice_thread->dynamicShared; }

} // namespace dice

// Last: the names above are members too.
#define threadIdx (dice_thread->threadIdx)
#define blockIdx (dice_thread->blockIdx)
#define blockDim (dice::asDim3(dice_thread->blockDim))
#define gridDim (dice::asDim3(dice_thread->gridDim))
