// What a candidate's Python code tries that a kernel has no need for: writing files outside its folder, connecting,
// starting processes. Heard through the interpreter's own audit hook, which Python code cannot take away.
#pragma once

#include <string>
#include <vector>

namespace dice::worker {

// Before the interpreter starts. Nothing is kept until armAuditLog().
void installAuditHook();
void armAuditLog();

// Sentences, at most 50, each once.
std::vector<std::string> auditedAttempts();

} // namespace dice::worker
