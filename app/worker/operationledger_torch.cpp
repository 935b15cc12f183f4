#include "app/worker/operationledger.h"

#include <ATen/core/ivalue.h>
#include <ATen/record_function.h>

#include <atomic>
#include <map>
#include <mutex>

namespace dice::worker {

namespace {

std::atomic<bool> isCounting{false};
std::mutex countsMutex;
std::map<std::string, OperationCount> counts;
thread_local int depth = 0;

struct Nesting : at::ObserverContext
{
    std::int64_t elementsIn = 0;
    bool isOutermost = false;
};

std::int64_t elementsOf(c10::ArrayRef<const c10::IValue> values)
{
    std::int64_t elements = 0;
    for (const c10::IValue &value : values) {
        if (value.isTensor() && value.toTensor().defined() && !value.toTensor().is_sparse())
            elements += value.toTensor().numel();
        else if (value.isTensorList())
            for (const at::Tensor &tensor : value.toTensorVector())
                elements += tensor.defined() ? tensor.numel() : 0;
    }
    return elements;
}

std::unique_ptr<at::ObserverContext> onStart(const at::RecordFunction &function)
{
    auto nesting = std::make_unique<Nesting>();
    nesting->isOutermost = depth++ == 0;
    if (nesting->isOutermost && isCounting)
        nesting->elementsIn = elementsOf(function.inputs());
    return nesting;
}

void onEnd(const at::RecordFunction &function, at::ObserverContext *context)
{
    --depth;
    const auto *nesting = static_cast<const Nesting *>(context);
    if (nesting == nullptr || !nesting->isOutermost || !isCounting)
        return;
    std::int64_t elementsOut = 0;
    for (const c10::IValue &value : function.outputs())
        elementsOut += elementsOf({&value, 1});
    const std::lock_guard lock(countsMutex);
    OperationCount &entry = counts[function.name()];
    ++entry.calls;
    entry.elementsIn += nesting->elementsIn;
    entry.elementsOut += elementsOut;
}

} // namespace

void OperationLedger::install()
{
    at::addGlobalCallback(at::RecordFunctionCallback(onStart, onEnd)
                              .needsInputs(true)
                              .needsOutputs(true)
                              .scopes({at::RecordScope::FUNCTION}));
}

void OperationLedger::start()
{
    const std::lock_guard lock(countsMutex);
    counts.clear();
    isCounting = true;
}

std::vector<OperationCount> OperationLedger::stop()
{
    const std::lock_guard lock(countsMutex);
    isCounting = false;
    std::vector<OperationCount> found;
    for (auto &[name, count] : counts) {
        count.name = name;
        found.push_back(count);
    }
    return found;
}

} // namespace dice::worker
