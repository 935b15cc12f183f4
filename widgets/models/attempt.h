// One try at a kernel: what was asked, what the model wrote, what the user made of it, what the judge said.
// A value; knows no widget and no process.
#pragma once

#include "core/data/canvasstep.h"
#include "core/data/generate.h"
#include "core/data/verdict.h"

#include <QMetaType>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace dice::widgets {

using StepList = std::vector<CanvasStep>;

enum class AttemptState { Writing, Written, Verifying, Judged, Stopped, Failed };

struct Attempt
{
    int number = 0; // counts from 1
    AttemptState state = AttemptState::Writing;
    QString moduleText;
    QString moduleName;
    DecodingOptions decoding;
    bool isByHand = false; // typed or pasted: no model wrote it
    QString kernelText; // as the editor shows it: the user's edits included
    std::shared_ptr<const StepList> steps; // set when the writing ended
    std::optional<GenerateResult> result;
    std::optional<Verdict> verdict; // of judgedText
    QString judgedText; // the kernel that the verdict is about
    QString failure; // a sentence; set when state is Failed

    bool isEditedSinceVerdict() const { return verdict && judgedText != kernelText; }
};

// "correct", "build error", ...: the verdict in the user's words.
QString wordText(VerdictWord word);
// Two lines for the list: "incorrect" / "2 of 5 trials; missing barrier, line 27".
QString attemptTitle(const Attempt &attempt);
QString attemptEvidence(const Attempt &attempt);

} // namespace dice::widgets

Q_DECLARE_METATYPE(dice::widgets::Attempt)
