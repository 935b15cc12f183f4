// One executable for the library, one file for each of its parts.
#include "tests/services/tst_benchmark.h"
#include "tests/services/tst_catalog.h"
#include "tests/services/tst_channel.h"
#include "tests/services/tst_studio.h"

#include <QCoreApplication>
#include <QStandardPaths>
#include <QTest>

namespace {

template <typename T> int runTests(int argc, char **argv)
{
    T test;
    return QTest::qExec(&test, argc, argv);
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    QStandardPaths::setTestModeEnabled(true);
    return runTests<TestChannel>(argc, argv) + runTests<TestCatalog>(argc, argv) + runTests<TestStudio>(argc, argv)
        + runTests<TestBenchmark>(argc, argv);
}
