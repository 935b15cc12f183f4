// Walks the statements of a parsed template and collects its text. Internal to core/formats.
#pragma once

#include "templatevalue.h"

namespace dice::formats {

// Throws TemplateFailure. Bounded: a template that loops without end or grows without bound is stopped.
std::string interpretTemplate(const std::vector<Statement> &statements, const TemplateValue::Json &variables);

} // namespace dice::formats
