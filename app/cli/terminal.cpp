#include "terminal.h"

#include <algorithm>
#include <cstdio>
#include <iostream>

#include <sys/ioctl.h>
#include <unistd.h>

namespace dice::cli {

namespace {

constexpr qint64 progressIntervalMs = 100;
constexpr int barCells = 24;
constexpr int defaultColumns = 80;

int numColumns()
{
    winsize size{};
    const bool isKnown = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return isKnown ? size.ws_col : defaultColumns;
}

std::string barOf(int done, int total)
{
    if (total <= 0)
        return {};
    const int filled = static_cast<int>(static_cast<long long>(barCells) * std::min(done, total) / total);
    return "[" + std::string(filled, '#') + std::string(barCells - filled, '.') + "] ";
}

} // namespace

Terminal::~Terminal()
{
    clearProgress();
}

void Terminal::printText(const std::string &text)
{
    clearProgress();
    if (!isJson())
        std::cout << text << std::flush;
}

void Terminal::printJson(const Json &document)
{
    clearProgress();
    if (isJson())
        std::cout << document.dump(2, ' ', false, Json::error_handler_t::replace) << std::endl;
}

void Terminal::printRemark(const std::string &line)
{
    clearProgress();
    std::cerr << line << std::endl;
}

void Terminal::printError(const Error &error)
{
    printRemark("dice: " + error.message);
    printJson({{"error", {{"code", toString(error.code)}, {"message", error.message}, {"detail", error.detail}}}});
}

void Terminal::showProgress(int done, int total, const std::string &text)
{
    const bool isTooSoon = m_lastShown.isValid() && m_lastShown.elapsed() < progressIntervalMs;
    if (isTooSoon || ::isatty(STDERR_FILENO) == 0)
        return;
    m_lastShown.start();
    const std::string line = (barOf(done, total) + text).substr(0, static_cast<std::size_t>(numColumns() - 1));
    std::cerr << "\r\033[K" << line << std::flush;
    m_isBarShown = true;
}

void Terminal::clearProgress()
{
    if (m_isBarShown)
        std::cerr << "\r\033[K" << std::flush;
    m_isBarShown = false;
}

} // namespace dice::cli
