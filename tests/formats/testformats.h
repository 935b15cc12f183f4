// The tests of core/formats: one class a file, run by main.cpp one after another.
#pragma once

#include <QObject>
#include <QTest>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace dice::formats::tests {

int runSafetensorsTests(int argc, char **argv);
int runHfConfigTests(int argc, char **argv);
int runTokenizerTests(int argc, char **argv);
int runChatTemplateTests(int argc, char **argv);
int runBpeTrainerTests(int argc, char **argv);

// Reference outputs live beside the checkout; the tests that need them skip with a reason elsewhere.
inline std::filesystem::path sharedFolder()
{
    const char *given = std::getenv("DICE_SHARED");
    return given ? std::filesystem::path(given) : std::filesystem::path(DICE_SOURCE_DIR) / ".." / "shared";
}

inline bool hasShared()
{
    return std::filesystem::exists(sharedFolder() / "fixtures");
}

// For QVERIFY2: the message of a failed Result.
template <typename R> std::string whyFailed(const R &result)
{
    return result ? std::string() : result.error().message + " | " + result.error().detail;
}

} // namespace dice::formats::tests

#define VERIFY_RESULT(result) QVERIFY2((result).has_value(), dice::formats::tests::whyFailed(result).c_str())
#define SKIP_WITHOUT_SHARED()                                                                                          \
    if (!dice::formats::tests::hasShared())                                                                            \
    QSKIP("the reference outputs (DICE_SHARED) are not on this machine")
