// What the four outcome cards say about a verdict, or about the judge's work so far: icon, state in words, one
// line of evidence. Pure functions over values; knows no widget.
#pragma once

#include "core/data/verdict.h"

#include <QString>

#include <array>
#include <optional>

namespace dice::widgets {

enum class CardTone { Quiet, Accent, Good, Care, Bad };

struct CardContent
{
    CardTone tone = CardTone::Quiet;
    QString icon = QStringLiteral("none"); // of resources/icons
    QString state;
    QString evidence;

    bool operator==(const CardContent &) const = default;
};

enum class CardKind { Build, Correct, Trust, SpeedUp };
inline constexpr int numCards = 4;

// Where the judge is: "prepare", "build", "trials", "honesty" while it works, empty before and after.
struct OutcomeInput
{
    std::optional<Verdict> verdict; // so far, while `stage` is set
    QString stage;
    bool isWriting = false;
};

CardContent cardContent(CardKind kind, const OutcomeInput &input);
QString cardTitle(CardKind kind);

} // namespace dice::widgets
