// Parses the arguments, runs the chosen command inside the event loop, gives its exit status.
#pragma once

namespace dice::cli {

// Needs a QCoreApplication. 0 done and correct, 1 done but not correct, 2 wrong use or bad input, 3 internal fault.
int runCommandLine(int argc, char **argv);

} // namespace dice::cli
