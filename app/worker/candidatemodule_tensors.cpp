#include "candidatemodule_tensors.h"

#include "candidatemodule_operations.h"
#include "core/build/cpudevice/device.h"
#include "core/build/cpudevice/memorymap.h"

#include <ATen/ATen.h>
#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>

#include <cstdlib>
#include <cstring>
#include <string>

namespace dice::worker {

namespace {

using cpudevice::Device;
using cpudevice::MemoryKind;

c10::TensorImpl *implOf(DiceTensor handle)
{
    return reinterpret_cast<c10::TensorImpl *>(handle);
}

void retain(DiceTensor handle)
{
    c10::raw::intrusive_ptr::incref(implOf(handle));
}

void release(DiceTensor handle)
{
    c10::raw::intrusive_ptr::decref(implOf(handle));
}

int64_t dimOf(DiceTensor handle)
{
    return implOf(handle)->dim();
}

const int64_t *sizesOf(DiceTensor handle)
{
    return implOf(handle)->sizes().data();
}

const int64_t *stridesOf(DiceTensor handle)
{
    return implOf(handle)->strides().data();
}

int64_t numelOf(DiceTensor handle)
{
    return implOf(handle)->numel();
}

int32_t dtypeOf(DiceTensor handle)
{
    return int32_t(c10::typeMetaToScalarType(implOf(handle)->dtype()));
}

// A kernel gets the address, so its memory becomes known: inputs may lie in memory that no allocator of ours gave.
void *dataOf(DiceTensor handle)
{
    c10::TensorImpl *impl = implOf(handle);
    if (impl->has_storage()) {
        const c10::Storage &storage = impl->unsafe_storage();
        Device::instance().memory().borrow(storage.data(), storage.nbytes());
    }
    return impl->mutable_data();
}

int64_t storageOffsetOf(DiceTensor handle)
{
    return implOf(handle)->storage_offset();
}

int32_t flagOf(DiceTensor handle, int32_t which)
{
    c10::TensorImpl *impl = implOf(handle);
    switch (which) {
    case DICE_IS_CONTIGUOUS:
        return impl->is_contiguous();
    case DICE_REQUIRES_GRAD:
        return impl->requires_grad();
    case DICE_IS_CHANNELS_LAST:
        return impl->is_contiguous(at::MemoryFormat::ChannelsLast);
    default:
        return 0;
    }
}

int32_t useCountOf(DiceTensor handle)
{
    return int32_t(c10::raw::intrusive_ptr::use_count(implOf(handle)));
}

void warn(const char *text)
{
    TORCH_WARN(text);
}

class GuardedAllocator final : public c10::Allocator
{
public:
    c10::DataPtr allocate(size_t bytes) override
    {
        void *memory = bytes == 0 ? nullptr : Device::instance().memory().allocate(bytes, MemoryKind::Tensor);
        TORCH_CHECK_WITH(OutOfMemoryError, memory != nullptr || bytes == 0, "not enough memory: you tried to allocate ",
                         bytes, " bytes");
        return {memory, memory, &freeMemory, c10::Device(c10::DeviceType::CPU)};
    }
    c10::DeleterFnPtr raw_deleter() const override { return &freeMemory; }
    void copy_data(void *to, const void *from, std::size_t bytes) const override { std::memcpy(to, from, bytes); }

private:
    static void freeMemory(void *memory)
    {
        if (memory != nullptr)
            Device::instance().memory().release(memory);
    }
};

} // namespace

void fillTensorApi(DiceHostApi &api)
{
    api.retain = &retain;
    api.releaseTensor = &release;
    api.dim = &dimOf;
    api.sizes = &sizesOf;
    api.strides = &stridesOf;
    api.numel = &numelOf;
    api.dtype = &dtypeOf;
    api.data = &dataOf;
    api.storageOffset = &storageOffsetOf;
    api.flag = &flagOf;
    api.useCount = &useCountOf;
    api.call = &callOperation;
    api.errorText = &operationError;
    api.freeValue = [](DiceValue *value) { freeDiceValue(*value); };
    api.warn = &warn;
}

void installGuardedAllocator()
{
    static GuardedAllocator allocator; // tensors may outlive main: it has no state of its own
    c10::SetAllocator(c10::DeviceType::CPU, &allocator, 1);
}

} // namespace dice::worker
