// What a command says and where: results on stdout, progress and remarks on stderr. It knows no command.
#pragma once

#include "core/data/json.h"

#include <QElapsedTimer>

#include <string>

namespace dice::cli {

class Terminal
{
public:
    enum class Format { Text, Json };

    ~Terminal();

    void setFormat(Format format) { m_format = format; }
    bool isJson() const { return m_format == Format::Json; }

    void printText(const std::string &text); // to stdout; with --json nowhere
    void printJson(const Json &document); // to stdout; without --json nowhere
    void printRemark(const std::string &line); // to stderr
    void printError(const Error &error); // to stderr, and as a document with --json

    // A bar on stderr, at most ten times a second and only on a terminal. total 0 = not known.
    void showProgress(int done, int total, const std::string &text);
    void clearProgress();

private:
    Format m_format = Format::Text;
    QElapsedTimer m_lastShown;
    bool m_isBarShown = false;
};

} // namespace dice::cli
