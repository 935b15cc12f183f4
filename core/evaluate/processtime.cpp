#include "core/evaluate/processtime.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

namespace dice::evaluate {

namespace {

constexpr int maxDepth = 16;

// Fields 14 to 17 of /proc/<pid>/stat: own and waited-for time; the name before them may hold blanks.
double ownSeconds(pid_t process)
{
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string line;
    std::getline(file, line);
    std::istringstream fields(line.substr(std::min(line.rfind(')') + 1, line.size())));
    std::string skipped;
    for (int field = 3; field < 14; ++field)
        fields >> skipped;
    double ticks = 0.0;
    double sum = 0.0;
    for (int field = 14; field <= 17 && fields >> ticks; ++field)
        sum += ticks;
    return sum / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

double treeSeconds(pid_t process, int depth)
{
    double seconds = ownSeconds(process);
    if (depth == maxDepth)
        return seconds;
    const std::string name = std::to_string(process);
    std::ifstream children("/proc/" + name + "/task/" + name + "/children");
    for (pid_t child = 0; children >> child;)
        seconds += treeSeconds(child, depth + 1);
    return seconds;
}

} // namespace

double processorSecondsOf(pid_t process)
{
    return process > 0 ? treeSeconds(process, 0) : 0.0;
}

} // namespace dice::evaluate
