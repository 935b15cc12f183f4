#include "fiber.h"

#include <sys/mman.h>
#include <unistd.h>

namespace dice::cpudevice {

bool allocateStack(Fiber &fiber, std::size_t bytes)
{
    const std::size_t page = std::size_t(sysconf(_SC_PAGESIZE));
    void *memory = mmap(nullptr, bytes + page, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    mprotect(memory, page, PROT_NONE); // an overflow ends in SIGSEGV, not in a neighbour's stack
    fiber.stack = static_cast<char *>(memory) + page;
    fiber.stackBytes = bytes;
    return true;
}

void releaseStack(Fiber &fiber)
{
    if (fiber.stack == nullptr)
        return;
    const std::size_t page = std::size_t(sysconf(_SC_PAGESIZE));
    munmap(fiber.stack - page, fiber.stackBytes + page);
    fiber.stack = nullptr;
}

} // namespace dice::cpudevice
