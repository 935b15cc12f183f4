// Every item model under QAbstractItemModelTester: empty, filled, changed, reset.
#include "tests/widgets/fixtures.h"
#include "tests/widgets/pictures.h"
#include "widgets/models/attemptsmodel.h"
#include "widgets/models/buildmessagesmodel.h"
#include "widgets/models/detectorsmodel.h"
#include "widgets/models/launchesmodel.h"
#include "widgets/models/modelsmodel.h"
#include "widgets/models/scaledsizesmodel.h"
#include "widgets/models/trialsmodel.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace dice;
using namespace dice::widgets;

class ModelsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { test::failOnWarning(); }
    void attemptsKeepOrderAndNumbers();
    void attemptTellsItsVerdict();
    void editedAttemptSaysSo();
    void evidenceTables();
    void modelsUpdateInPlace();
};

void ModelsTest::attemptsKeepOrderAndNumbers()
{
    AttemptsModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(model.append({}), 1);
    QCOMPARE(model.append({}), 2);
    QCOMPARE(model.numberAt(model.index(0)), 2); // newest first
    QCOMPARE(model.indexOf(1).row(), 1);
    QVERIFY(!model.indexOf(7).isValid());

    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    model.update(1, [](Attempt &attempt) { attempt.state = AttemptState::Stopped; });
    QCOMPARE(changes.count(), 1);
    QCOMPARE(changes.front().front().toModelIndex().row(), 1);
    model.update(9, [](Attempt &) { QFAIL("there is no attempt 9"); });

    Attempt kept;
    kept.number = 5;
    model.setAttempts({kept});
    QCOMPARE(model.append({}), 6); // numbers never come twice
}

void ModelsTest::attemptTellsItsVerdict()
{
    Attempt attempt;
    attempt.state = AttemptState::Judged;
    attempt.verdict = test::correctVerdict();
    QCOMPARE(attemptTitle(attempt), QString("correct"));
    QCOMPARE(attemptEvidence(attempt), QString("5 of 5 trials equal"));
    attempt.verdict = test::incorrectVerdict();
    QCOMPARE(attemptTitle(attempt), QString("incorrect"));
    QVERIFY(attemptEvidence(attempt).startsWith("Trial 2 differs"));
}

void ModelsTest::editedAttemptSaysSo()
{
    Attempt attempt;
    attempt.state = AttemptState::Judged;
    attempt.verdict = test::correctVerdict();
    attempt.judgedText = attempt.kernelText = QStringLiteral("a");
    QVERIFY(!attempt.isEditedSinceVerdict());
    attempt.kernelText = QStringLiteral("b");
    QVERIFY(attempt.isEditedSinceVerdict());
    QCOMPARE(attemptEvidence(attempt), QString("edited since this verdict"));
}

template <typename Model, typename Records>
static void checkTable(const Records &records, int column, const QString &expected)
{
    Model model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(model.rowCount(), 0);
    model.setRecords(records);
    QCOMPARE(model.rowCount(), static_cast<int>(records.size()));
    QCOMPARE(model.index(0, column).data().toString(), expected);
    QVERIFY(!model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString().isEmpty());
    model.setRecords({});
    QCOMPARE(model.rowCount(), 0);
}

void ModelsTest::evidenceTables()
{
    const Verdict wrong = test::incorrectVerdict();
    checkTable<TrialsModel>(std::vector<TrialResult>{wrong.trials[1]}, 3, QStringLiteral("[511]"));
    checkTable<DetectorsModel>(wrong.detectors, 1, QStringLiteral("not run"));
    checkTable<LaunchesModel>(wrong.launches, 2, QStringLiteral("4.200 ms"));
    checkTable<ScaledSizesModel>(std::vector<ScaledSize>{{"N", 4096, 100}}, 2, QStringLiteral("100"));
    checkTable<BuildMessagesModel>(test::compileErrorVerdict().build.messages, 0, QStringLiteral("19"));
}

void ModelsTest::modelsUpdateInPlace()
{
    ModelsModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    ModelEntry entry;
    entry.name = QStringLiteral("dice-nano");
    entry.folder = QStringLiteral("/models/dice-nano");
    model.setEntries({entry});
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    entry.card = QStringLiteral("# Card");
    model.updateEntry(entry);
    model.updateEntry(entry); // nothing new: nothing announced
    QCOMPARE(changes.count(), 1);
    QCOMPARE(resets.count(), 0);
    QCOMPARE(model.index(0).data(ModelsModel::CardRole).toString(), entry.card);
}

QTEST_MAIN(ModelsTest)
#include "tst_models.moc"
