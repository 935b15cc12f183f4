// The border between an artefact (a candidate compiled to a shared object) and the program that loads it: one table
// of C functions, handed over by dice_attach. An artefact links neither LibTorch nor Python and needs no header of
// theirs, which is what keeps a build near half a second.
//
// Chosen over LibTorch's stable ABI: that one needs Torch headers in every candidate, knows nothing of launches, and
// has no calls by name with defaults filled in. Here tensors stay LibTorch's own, and every operation goes through
// its dispatcher, so whoever counts library work in the worker sees those of the extension too.
#ifndef DICE_HOSTAPI_H
#define DICE_HOSTAPI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DICE_HOST_API_VERSION 4

typedef struct DiceTensorHandle *DiceTensor; // a counted reference; null = undefined tensor

enum DiceKind {
    DICE_NONE = 0,
    DICE_TENSOR = 1,
    DICE_INT = 2,
    DICE_DOUBLE = 3,
    DICE_BOOL = 4,
    DICE_STRING = 5, // text, count = bytes without the final 0
    DICE_LIST = 6,   // items, count
    DICE_TUPLE = 7,
    DICE_DTYPE = 8,  // integer = c10::ScalarType
    DICE_DEVICE = 9, // integer = device index; the type is always "the device of this worker"
    DICE_MEMORY_FORMAT = 10,
    // Only as arguments of call: count numbers or tensors that lie one after another at data.
    DICE_INT_ARRAY = 11,
    DICE_DOUBLE_ARRAY = 12,
    DICE_TENSOR_ARRAY = 13
};

// Arguments are borrowed. Results are owned by who receives them, and freed with freeValue.
typedef struct DiceValue
{
    int32_t kind;
    int32_t reserved;
    int64_t count;
    union {
        DiceTensor tensor;
        int64_t integer;
        double real;
        char *text;              // malloc
        struct DiceValue *items; // malloc
        const void *data;        // of the array kinds; borrowed
    };
} DiceValue;

typedef struct DiceIndex
{
    uint32_t x, y, z;
} DiceIndex;

// What a kernel sees of itself, and its place in the block. One per processor thread; the program rewrites threadIdx
// and thread whenever another thread of the block goes on. Layout is shared with compiled artefacts.
typedef struct DiceThread
{
    DiceIndex threadIdx;
    DiceIndex blockIdx;
    DiceIndex blockDim;
    DiceIndex gridDim;
    uint32_t thread;      // linear index in the block
    uint32_t claimed;     // threads of the block started so far
    uint32_t total;       // threads of the block
    uint32_t exited;      // threads of the block that returned
    uint32_t waiting;     // threads that wait at a barrier or in a warp operation
    DiceIndex next;       // threadIdx of the next thread to start
    char *sharedBase;     // static shared variables, at the offsets of reserveShared
    char *dynamicShared;  // extern __shared__
    uint64_t dynamicSize;
    uintptr_t recent[4];  // two address ranges that need no further check: begin, end, begin, end
    uint32_t warpExited[32]; // a bit a lane
} DiceThread;

// Runs threads of the current block until all have been started.
typedef void (*DiceRun)(const void *arguments, DiceThread *thread);

typedef struct DiceLaunch
{
    const char *kernel; // as written: "scan<64>"
    const char *file;
    int32_t line;
    DiceIndex grid;
    DiceIndex block;
    uint64_t sharedBytes;
    DiceRun run;        // fast code
    DiceRun checkedRun; // the same kernel with every access reported; null = none
    void (*enter)(DiceThread *thread); // called on each processor thread before run
    const void *arguments;
    uint64_t argumentBytes;
} DiceLaunch;

enum DiceBarrierKind { DICE_BARRIER = 0, DICE_BARRIER_COUNT = 1, DICE_BARRIER_AND = 2, DICE_BARRIER_OR = 3 };

// DICE_ALIGNED is added when the type asks for an address that is a multiple of its size.
enum DiceAccess { DICE_READ = 0, DICE_WRITE = 1, DICE_ATOMIC = 2, DICE_ALIGNED = 8 };

typedef struct DiceHostApi
{
    uint32_t version;
    uint32_t size;

    // Launches and threads. barrier and exchange may switch to another thread of the block.
    void (*launch)(const DiceLaunch *launch);
    uint64_t (*reserveShared)(uint64_t size, uint64_t alignment, const char *name, const char *file, int32_t line);
    int32_t (*barrier)(DiceThread *thread, int32_t kind, int32_t value);
    // Each lane of mask gives a value; returns the 32 values, valid until the lane's next exchange but one.
    // *present: the lanes that took part.
    const uint64_t *(*exchange)(DiceThread *thread, uint32_t mask, uint64_t value, uint32_t *present);
    uint32_t (*activeMask)(DiceThread *thread);
    void (*threadExited)(DiceThread *thread); // only needed while others wait
    void (*yield)(DiceThread *thread);        // nanosleep: lets other threads of the block go on
    // Ends the launch. Does not return when called from a kernel.
    void (*fault)(DiceThread *thread, const char *kind, const char *message, const char *file, int32_t line);
    void (*access)(DiceThread *thread, const void *address, uint64_t size, int32_t access, const void *caller);

    // Memory and errors of the CUDA runtime.
    void *(*allocate)(uint64_t bytes);
    int32_t (*release)(void *address); // 0, or 1 for an address that was not allocated
    int32_t (*lastError)(int32_t reset); // cudaError_t

    // Tensors.
    void (*retain)(DiceTensor tensor);
    void (*releaseTensor)(DiceTensor tensor);
    int64_t (*dim)(DiceTensor tensor);
    const int64_t *(*sizes)(DiceTensor tensor);
    const int64_t *(*strides)(DiceTensor tensor);
    int64_t (*numel)(DiceTensor tensor);
    int32_t (*dtype)(DiceTensor tensor);
    void *(*data)(DiceTensor tensor);
    int64_t (*storageOffset)(DiceTensor tensor);
    int32_t (*flag)(DiceTensor tensor, int32_t which); // DiceTensorFlag
    int32_t (*useCount)(DiceTensor tensor);

    // Any operation by name ("aten::add"), any overload that fits; missing arguments take the schema's defaults.
    // names: null, or one name (or null) for each argument. 0, or an error that errorText describes.
    int32_t (*call)(const char *name, const DiceValue *arguments, const char *const *names, int32_t count,
                    DiceValue *result);
    const char *(*errorText)(void);
    void (*freeValue)(DiceValue *value);
    void (*warn)(const char *text);
} DiceHostApi;

enum DiceTensorFlag { DICE_IS_CONTIGUOUS = 0, DICE_REQUIRES_GRAD = 1, DICE_IS_CHANNELS_LAST = 2 };

// One function bound for Python.
typedef struct DiceFunction
{
    const char *name;
    const char *doc;
    int32_t argumentCount;
    const char *const *argumentNames;    // entries may be null
    const char *const *argumentTypes;    // "tensor", "tensor?", "int", "float", "bool", "str", "int[]", ...
    const DiceValue *const *defaults;    // entries may be null
    // 0, or an error that errorText of the artefact describes; kind 1 = std::exception, 2 = wrong argument.
    int32_t (*invoke)(const struct DiceFunction *function, const DiceValue *arguments, DiceValue *result);
    void *target;
} DiceFunction;

typedef struct DiceModule
{
    uint32_t version;
    int32_t functionCount;
    const DiceFunction *functions;
    const char *doc;
    const char *(*errorText)(void);
} DiceModule;

// Exported by every artefact. dice_attach comes first, once; dice_module only by those built without Torch's headers.
typedef int32_t (*DiceAttach)(const DiceHostApi *api);
typedef const DiceModule *(*DiceModuleOf)(void);
#define DICE_ATTACH_SYMBOL "dice_attach"
#define DICE_MODULE_SYMBOL "dice_module"

#ifdef __cplusplus
}
#endif

#endif
