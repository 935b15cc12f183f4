// The operation ledger's counts as the field "operations" of a reply.
#pragma once

#include "app/worker/operationledger.h"
#include "core/data/json.h"

namespace dice::worker {

inline Json operationsJson(const std::vector<OperationCount> &counts)
{
    Json list = Json::array();
    for (const OperationCount &count : counts)
        list.push_back({{"name", count.name},
                        {"calls", count.calls},
                        {"elements_in", count.elementsIn},
                        {"elements_out", count.elementsOut}});
    return list;
}

} // namespace dice::worker
