// Call forms of an operation: how people write it in Python, with places for the value and its settings.
//   {x}  the value, in parentheses where the form's own operator needs them (before a dot: always when composed)
//   {y}  the same on the right side of the operator;  {m}, {f}: as a factor, as the operand of a minus
//   {a}  the value as a bare argument
// A mark in front says how the result binds: "T:" like *, "A:" like +, "F:" like -x, "P:" like **.
//   "v,norm,n<-EXPR;;FORM"  gives EXPR a line of its own and one of the names; FORM has it at {v}
// Must not know kernels.
#pragma once

#include "core/train/corpus/task.h"

namespace dice::corpus {

// Removes the mark from the form.
Precedence takePrecedence(std::string &form);

// Puts the current value into the form; names it first when the form uses it twice.
void insertValue(Task &task, std::string &form, Precedence precedence);

// Makes the form the current value (places other than the value's must be filled). A form that starts with "nn."
// becomes a sub-module; returns its attribute, "self.pool", or an empty text.
std::string writeForm(Task &task, std::string form, Shape shape, std::string_view attributeNames = {});

} // namespace dice::corpus
