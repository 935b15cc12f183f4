// What every artefact exports besides its functions, and the reports of its checked copy.
#pragma once

#include "dice/launch.h"

#define DICE_EXPORT extern "C" __attribute__((visibility("default")))

#if DICE_CHECKED

// The hooks that -fsanitize=thread calls. None of the sanitizer's own library is there: an access outside the two
// ranges seen last goes to the program.
#define DICE_HOOKED extern "C" inline __attribute__((used, no_sanitize("thread"), visibility("hidden")))
#define DICE_HOOK DICE_HOOKED void
namespace dice {
constexpr uintptr_t threadStorageBytes = 64 << 10;
// Beside large libraries the dynamic linker puts an object's thread-local variables on the heap: references to shared
// memory lie near this one.
constexpr uintptr_t ownStorageReach = 1024;
inline __attribute__((visibility("hidden"))) thread_local char ownStorage = 0;

__attribute__((no_sanitize("thread"), always_inline)) inline bool isNear(uintptr_t address, const void *anchor)
{
    return address - (reinterpret_cast<uintptr_t>(anchor) - ownStorageReach) < 2 * ownStorageReach;
}

__attribute__((no_sanitize("thread"), noinline, visibility("hidden"))) inline void report(const void *address, uint64_t size, int32_t kind,
                                                                         const void *caller)
{
    DiceThread *thread = dice_thread;
    const uintptr_t begin = reinterpret_cast<uintptr_t>(address);
    // What the kernel sees of itself is no memory of the device.
    const uintptr_t threadStorage = reinterpret_cast<uintptr_t>(__builtin_thread_pointer());
    const bool isOwn = begin - reinterpret_cast<uintptr_t>(thread) < sizeof(DiceThread)
        || isNear(begin, &dice_thread) || isNear(begin, &ownStorage)
        || begin - reinterpret_cast<uintptr_t>(dice_api) < sizeof(DiceHostApi)
        || begin - (threadStorage - threadStorageBytes) < threadStorageBytes;
    const bool isMisaligned = (kind & DICE_ALIGNED) != 0 && (begin & (size - 1)) != 0;
    const bool isKnown = thread != nullptr
        && ((begin >= thread->recent[0] && begin + size <= thread->recent[1])
            || (begin >= thread->recent[2] && begin + size <= thread->recent[3]));
    if (thread == nullptr || isOwn || (isKnown && !isMisaligned))
        return;
    dice_api->access(thread, address, size, kind, caller);
}
} // namespace dice
#define DICE_ACCESS_HOOKS(Size)                                                                                       \
    DICE_HOOK __tsan_read##Size(void *a) { dice::report(a, Size, DICE_READ | DICE_ALIGNED, __builtin_return_address(0)); }           \
    DICE_HOOK __tsan_write##Size(void *a) { dice::report(a, Size, DICE_WRITE | DICE_ALIGNED, __builtin_return_address(0)); }         \
    DICE_HOOK __tsan_unaligned_read##Size(void *a) { dice::report(a, Size, DICE_READ, __builtin_return_address(0)); } \
    DICE_HOOK __tsan_unaligned_write##Size(void *a) { dice::report(a, Size, DICE_WRITE, __builtin_return_address(0)); }
DICE_ACCESS_HOOKS(1)
DICE_ACCESS_HOOKS(2)
DICE_ACCESS_HOOKS(4)
DICE_ACCESS_HOOKS(8)
DICE_ACCESS_HOOKS(16)
DICE_HOOK __tsan_read_range(void *a, long n) { dice::report(a, n, DICE_READ, __builtin_return_address(0)); }
DICE_HOOK __tsan_write_range(void *a, long n) { dice::report(a, n, DICE_WRITE, __builtin_return_address(0)); }
DICE_HOOK __tsan_vptr_update(void *, void *) {}
DICE_HOOK __tsan_func_entry(void *) {}
DICE_HOOK __tsan_func_exit() {}
DICE_HOOK __tsan_init() {}

// Atomic operations of the compiler's own: guards of static variables, std::atomic.
#define DICE_ATOMIC_CHANGE(Bits, Word, name)                                                                          \
    DICE_HOOKED Word __tsan_atomic##Bits##_##name(Word *a, Word v, int)                                               \
    {                                                                                                                 \
        dice::report(a, sizeof(Word), DICE_ATOMIC, __builtin_return_address(0));                                      \
        return __atomic_##name(a, v, __ATOMIC_SEQ_CST);                                                               \
    }
#define DICE_ATOMIC_HOOKS(Bits, Word)                                                                                 \
    DICE_HOOKED Word __tsan_atomic##Bits##_load(const Word *a, int) { return __atomic_load_n(a, __ATOMIC_SEQ_CST); }  \
    DICE_HOOKED void __tsan_atomic##Bits##_store(Word *a, Word v, int)                                                \
    {                                                                                                                 \
        dice::report(a, sizeof(Word), DICE_ATOMIC, __builtin_return_address(0));                                      \
        __atomic_store_n(a, v, __ATOMIC_SEQ_CST);                                                                     \
    }                                                                                                                 \
    DICE_HOOKED Word __tsan_atomic##Bits##_exchange(Word *a, Word v, int)                                             \
    {                                                                                                                 \
        dice::report(a, sizeof(Word), DICE_ATOMIC, __builtin_return_address(0));                                      \
        return __atomic_exchange_n(a, v, __ATOMIC_SEQ_CST);                                                           \
    }                                                                                                                 \
    DICE_HOOKED int __tsan_atomic##Bits##_compare_exchange_strong(Word *a, Word *expected, Word v, int, int)          \
    {                                                                                                                 \
        dice::report(a, sizeof(Word), DICE_ATOMIC, __builtin_return_address(0));                                      \
        return __atomic_compare_exchange_n(a, expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                \
    }                                                                                                                 \
    DICE_HOOKED int __tsan_atomic##Bits##_compare_exchange_weak(Word *a, Word *expected, Word v, int, int)            \
    {                                                                                                                 \
        return __tsan_atomic##Bits##_compare_exchange_strong(a, expected, v, 0, 0);                                   \
    }                                                                                                                 \
    DICE_ATOMIC_CHANGE(Bits, Word, fetch_add)                                                                         \
    DICE_ATOMIC_CHANGE(Bits, Word, fetch_sub)                                                                         \
    DICE_ATOMIC_CHANGE(Bits, Word, fetch_and)                                                                         \
    DICE_ATOMIC_CHANGE(Bits, Word, fetch_or)                                                                          \
    DICE_ATOMIC_CHANGE(Bits, Word, fetch_xor)
DICE_ATOMIC_HOOKS(8, unsigned char)
DICE_ATOMIC_HOOKS(16, unsigned short)
DICE_ATOMIC_HOOKS(32, unsigned int)
DICE_ATOMIC_HOOKS(64, unsigned long)
DICE_HOOKED void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
DICE_HOOKED void __tsan_atomic_signal_fence(int) {}

// For the fast copy, which loads this one as its dependency.
DICE_EXPORT inline __attribute__((used)) dice::LaunchRecord *dice_checked_records() { return dice::launchRecords; }

#else

DICE_EXPORT dice::LaunchRecord *dice_checked_records() __attribute__((weak));

// Both copies registered the same launches in the same order.
DICE_EXPORT inline __attribute__((used)) int32_t dice_attach(const DiceHostApi *api)
{
    if (api == nullptr || api->version != DICE_HOST_API_VERSION)
        return 1;
    dice_api = api;
    if (dice_checked_records == nullptr)
        return 0;
    dice::LaunchRecord *fast = dice::launchRecords;
    dice::LaunchRecord *checked = dice_checked_records();
    for (; fast != nullptr && checked != nullptr; fast = fast->next, checked = checked->next)
        if (__builtin_strcmp(fast->key, checked->key) == 0)
            fast->checkedRun = checked->run;
    return 0;
}

#endif
