// What all losses share: names and sizes of their inputs, and how people call them. Must not know kernels.
#pragma once

#include "core/train/corpus/task.h"

namespace dice::corpus {

struct LossNames
{
    const char *first;
    const char *second;
};

// Usual names of prediction and target.
LossNames lossNames(Rng &rng);

Dim lossRows(Task &task);
Dim lossColumns(Task &task);

// Makes the loss the current value: nn.Loss(...) as a sub-module called with the tensors, or the form itself.
void setLoss(Task &task, std::string form, const std::string &tensors);

// Fills {0} of the form: a literal, `self.name`, or an argument of the sub-module ("@name"). Without {0}: `standard`.
std::string lossNumber(Task &task, std::string &form, std::string_view names, std::string_view values,
                       std::string_view standard);

// ", number" for the answer's call, after setLoss; "@name" becomes the sub-module's attribute.
std::string numberCall(const Task &task, const std::string &number);

} // namespace dice::corpus
