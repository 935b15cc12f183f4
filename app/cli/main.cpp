// dice: the command line of DICE Studio.
#include "app/cli/commandline.h"
#include "core/base/log.h"

#include <QCoreApplication>

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    dice::setUpLog("dice");
    return dice::cli::runCommandLine(argc, argv);
}
