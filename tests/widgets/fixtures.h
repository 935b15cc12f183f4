// Values that the widget tests show: a kernel, the denoising steps that would have written it, verdicts.
// Steps are cut from the kernel's own text, so that the canvas must end with exactly that text.
#pragma once

#include "core/data/canvasstep.h"
#include "core/data/generate.h"
#include "core/data/verdict.h"

#include <QString>

#include <vector>

namespace dice::test {

QString moduleText();
QString kernelText();

// Blocks of 8 tokens; unsure tokens take more steps. The same for the same text.
std::vector<CanvasStep> stepsFor(const QString &text);
GenerateResult resultFor(const QString &text);

Verdict correctVerdict();
Verdict incorrectVerdict();
Verdict compileErrorVerdict();

} // namespace dice::test
