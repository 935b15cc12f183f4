#include "testformats.h"

#include "core/formats/chattemplate.h"

#include <QTemporaryDir>

#include <fstream>

namespace dice::formats::tests {

namespace {

using nlohmann::ordered_json;

const ordered_json variables = ordered_json::parse(R"({
    "messages": [{"role": "system", "content": "S"}, {"role": "user", "content": " hi "}, {"role": "user", "content": "x</a>y</a>z"}],
    "tools": [{"name": "t", "n": 3, "nested": {"b": [1, true, null], "a": "\u00e8\n"}}],
    "empty": [], "flag": true, "nothing": null, "number": 5
})");

} // namespace

class ChatTemplateTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void renders_data();
    void renders();
    void refuses_data();
    void refuses();
    void endlessWorkIsStopped_data();
    void endlessWorkIsStopped();
    void readsFolder();
    void rendersPrompt();
};

void ChatTemplateTest::renders_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *name, const char *source, const char *expected) {
        QTest::newRow(name) << QString::fromUtf8(source) << QString::fromUtf8(expected);
    };
    row("text", "a {b} % c", "a {b} % c");
    row("final newline dropped", "a\n", "a");
    row("output keeps newline", "{{ number }}\nb", "5\nb");
    row("block drops newline", "{% if flag %}\na\n{% endif %}\nb", "a\nb");
    row("block drops its indentation", "x\n   {% if flag %}a{% endif %}", "x\na");
    row("indentation kept by plus", "x\n   {%+ if flag %}a{% endif %}", "x\n   a");
    row("no indentation in mid-line", "x {% if flag %}a{% endif %}", "x a");
    row("minus strips both", "x \n {%- if flag -%} \n a {%- endif %}", "xa");
    row("comment", "a{# {{ wrong #}b", "ab");
    row("delimiter in string", "{{ '%}' }}{{ \"}}\" }}", "%}}}");
    row("escapes", R"({{ 'a\n\t\'\\' }})", "a\n\t'\\");
    row("elif", "{% if nothing %}1{% elif number == 5 %}2{% else %}3{% endif %}", "2");
    row("loop", "{% for m in messages %}{{ loop.index0 }}{{ m.role[0] }}{% if not loop.last %},{% endif %}{% endfor %}",
        "0s,1u,2u");
    row("loop variables",
        "{% for m in messages %}{{ loop.index }}{{ loop.revindex }}{{ loop.length }}{{ loop.first }} {% endfor %}",
        "133True 223False 313False ");
    row("loop else", "{% for m in empty %}a{% else %}b{% endfor %}", "b");
    row("loop with condition", "{% for m in messages if m.role == 'user' %}{{ loop.index }}{% endfor %}", "12");
    row("break and continue",
        "{% for m in messages %}{% if loop.first %}{% continue %}{% endif %}{{ loop.index }}{% break %}{% endfor %}",
        "2");
    row("two names", "{% for k, v in tools[0].nested.items() %}{{ k }}{% endfor %}", "ba");
    row("neighbours",
        "{% for m in messages %}{{ loop.previtem.role if loop.previtem is defined else '-' }}{% endfor %}",
        "-systemuser");
    row("loop scope", "{% set x = 1 %}{% for m in messages %}{% set x = 2 %}{% endfor %}{{ x }}", "1");
    row("if has no scope", "{% if flag %}{% set x = 2 %}{% endif %}{{ x }}", "2");
    row("namespace",
        "{% set ns = namespace(n=0) %}{% for m in messages %}{% set ns.n = ns.n + 1 %}{% endfor %}{{ ns.n }}", "3");
    row("block set", "{% set x %}a{{ number }}{% endset %}[{{ x }}]", "[a5]");
    row("reverse slice", "{% for m in messages[::-1] %}{{ m.role[0] }}{% endfor %}", "uus");
    row("slices", "{{ 'abcdef'[1:3] }} {{ 'abcdef'[-2:] }} {{ 'abcdef'[4:1:-2] }} {{ 'abcdef'[9:] }}", "bc ef ec ");
    row("slice of characters", "{{ '\u00e8\u00e9x'[1] }}", "\u00e9");
    row("negative index", "{{ messages[-1].role }}", "user");
    row("index outside", "{{ messages[7] is defined }}", "False");
    row("precedence",
        "{{ messages|length - 1 }} {{ 2 + 3 * 2 }} {{ not flag or flag }} {{ 1 + 1 == 2 and 'a' in 'cab' }}",
        "2 8 True True");
    row("not in", "{{ 'q' not in 'abc' }}{{ 'role' in messages[0] }}{{ 5 in [1, 5] }}", "TrueTrueTrue");
    row("whole division", "{{ 7 // 2 }} {{ -7 // 2 }} {{ -7 % 3 }}", "3 -4 2");
    row("concatenation", "{{ 'a' ~ 1 ~ true }}", "a1True");
    row("neighbour strings", "{{ 'a' 'b' }}", "ab");
    row("conditional", "{{ 'a' if flag else 'b' }}{{ 'a' if nothing }}", "a");
    row("tests",
        "{{ nothing is none }} {{ x is defined }} {{ x is not defined }} {{ 'a' is string }} {{ flag is true }} {{ "
        "flag is false }} {{ tools[0] is mapping }} {{ (1 + 1) is number }}",
        "True False True True True False True True");
    row("default", "{{ x | default('d') }}{{ '' | default('d', true) }}{{ number | default(1) }}", "dd5");
    row("text methods",
        "{{ messages[2].content.split('</a>')[-1] }}{{ 'xxaxx'.strip('x') }}{{ '  b'.lstrip() }}{{ "
        "'c\\n'.rstrip('\\n') }}",
        "zabc");
    row("split with limit", "{{ 'a-b-c'.split('-', 1) | last }}", "b-c");
    row("starts and ends", "{{ 'abc'.startswith('ab') and 'abc'.endswith('bc') }}", "True");
    row("filters",
        "{{ ' a ' | trim }}{{ 'ab' | upper }}{{ ['x', 1] | join('-') }}{{ [1, 2] | first }}{{ 'aXa' | replace('a', "
        "'b') }}",
        "aABx-11bXb");
    row("python strip of other spaces", "[{{ '\u00a0a\u2003' | trim }}]", "[a]");
    row("tojson", "{{ tools[0] | tojson }}", R"({"name": "t", "n": 3, "nested": {"b": [1, true, null], "a": "è\n"}})");
    row("tojson indented", "{{ {'a': [1], 'b': {}} | tojson(indent=2) }}",
        "{\n  \"a\": [\n    1\n  ],\n  \"b\": {}\n}");
    row("get", "{{ tools[0].get('n') }}{{ tools[0].get('q', 'z') }}{{ tools[0].get('q') is none }}", "3zTrue");
    row("undefined prints nothing", "[{{ x }}]{% for y in x %}a{% endfor %}", "[]");
}

void ChatTemplateTest::renders()
{
    QFETCH(QString, source);
    QFETCH(QString, expected);
    const auto parsed = ChatTemplate::parse(source.toStdString());
    VERIFY_RESULT(parsed);
    const auto text = parsed->render(variables);
    VERIFY_RESULT(text);
    QCOMPARE(QString::fromStdString(*text), expected);
}

void ChatTemplateTest::refuses_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("says");
    QTest::newRow("macro") << "\n{% macro f(x) %}{% endmacro %}"
                           << "\"macro\" in line 2";
    QTest::newRow("include") << "{% include 'x' %}"
                             << "\"include\" in line 1";
    QTest::newRow("filter") << "a\n\n{{ messages | map('upper') }}"
                            << "the filter \"map\" in line 3";
    QTest::newRow("test") << "{{ 1 is odd }}"
                          << "the test \"odd\"";
    QTest::newRow("method") << "{{ 'a'.zfill(3) }}"
                            << "the text method \"zfill\"";
    QTest::newRow("function") << "{{ strftime_now('%d') }}"
                              << "the function \"strftime_now\"";
    QTest::newRow("loop attribute") << "{% for m in messages %}{{ loop.cycle }}{% endfor %}"
                                    << "loop.cycle";
    QTest::newRow("fraction") << "{{ 1.5 }}"
                              << "fraction";
    QTest::newRow("division") << "{{ 1 / 2 }}"
                              << "fraction";
    QTest::newRow("printed list") << "{{ [1] }}"
                                  << "printed as text";
    QTest::newRow("power") << "{{ 2 ** 3 }}"
                           << "**";
    QTest::newRow("tuple") << "{{ (1, 2) }}"
                           << "\",\"";
    QTest::newRow("escape") << R"({{ '\x41' }})"
                            << "the escape \\x";
    QTest::newRow("open tag") << "a {{ b"
                              << "not closed";
    QTest::newRow("open block") << "{% if flag %}"
                                << "not closed";
    QTest::newRow("open string") << "{{ 'a }}"
                                 << "not closed";
    QTest::newRow("stray end") << "{% endif %}"
                               << "endif";
    QTest::newRow("wrong end") << "{% if flag %}{% endfor %}"
                               << "endfor";
    QTest::newRow("attribute of undefined") << "{{ x.y }}"
                                            << "not defined";
    QTest::newRow("raised") << "{{ raise_exception('only one system message') }}"
                            << "only one system message";
    QTest::newRow("text plus number") << "{{ 'a' + 1 }}"
                                      << "\"+\"";
    QTest::newRow("deep expression") << QString("{{ ") + QString("(").repeated(5000) + "1" + QString(")").repeated(5000)
            + " }}"
                                     << "nested that deeply";
    QTest::newRow("deep blocks") << QString("{% if flag %}").repeated(5000) << "nested that deeply";
    QTest::newRow("many branches") << "{% if flag %}" + QString("{% elif flag %}").repeated(5000) + "{% endif %}"
                                   << "nested that deeply";
}

void ChatTemplateTest::refuses()
{
    QFETCH(QString, source);
    QFETCH(QString, says);
    const auto parsed = ChatTemplate::parse(source.toStdString());
    const auto text = parsed ? parsed->render(variables) : Result<std::string>(tl::unexpected(parsed.error()));
    QVERIFY2(!text, text ? text->c_str() : "");
    QVERIFY2(QString::fromStdString(text.error().message).contains(says), text.error().message.c_str());
}

void ChatTemplateTest::endlessWorkIsStopped_data()
{
    QTest::addColumn<QString>("source");
    const QString loop = "{% for a in 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' %}";
    QTest::newRow("loops in loops") << "{% set x = 'aaaaaaaaaa' %}" + loop.repeated(8) + "{{ x }}"
            + QString("{% endfor %}").repeated(8);
    QTest::newRow("doubled text") << "{% set x = 'aaaaaaaaaa' %}" + QString("{% set x = x ~ x %}").repeated(60);
    QTest::newRow("doubled list") << "{% set x = ['a'] %}" + QString("{% set x = x + x %}").repeated(60);
    QTest::newRow("nested lists") << "{% set x = ['a'] %}" + QString("{% set x = [x, x] %}").repeated(60);
    QTest::newRow("replaced by itself") << "{% set x = 'aaaaaaaaaa' %}"
            + QString("{% set x = x | replace('a', x) %}").repeated(60);
    QTest::newRow("joined by itself") << "{% set x = 'aaaaaaaaaa' %}" + QString("{% set x = x.join(x) %}").repeated(60);
}

void ChatTemplateTest::endlessWorkIsStopped()
{
    QFETCH(QString, source);
    const auto parsed = ChatTemplate::parse(source.toStdString());
    VERIFY_RESULT(parsed);
    const auto text = parsed->render(variables);
    QVERIFY(!text);
    QVERIFY2(text.error().code == ErrorCode::Unsupported, text.error().message.c_str());
}

void ChatTemplateTest::readsFolder()
{
    const QTemporaryDir temporary;
    const std::filesystem::path folder = temporary.path().toStdString();
    QVERIFY(ChatTemplate::fromFolder(folder).error().code == ErrorCode::NotFound);
    std::ofstream(folder / "tokenizer_config.json")
        << R"({"chat_template":"{{ bos_token }}1","bos_token":{"content":"<s>"}})";
    QCOMPARE(ChatTemplate::fromFolder(folder).value().render(ordered_json::object()).value(), std::string("<s>1"));
    std::ofstream(folder / "chat_template.jinja") << "{{ bos_token }}2";
    QCOMPARE(ChatTemplate::fromFolder(folder).value().render(ordered_json::object()).value(), std::string("<s>2"));
}

void ChatTemplateTest::rendersPrompt()
{
    const auto parsed
        = ChatTemplate::parse("{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}"
                              "{% if add_generation_prompt %}<assistant>{% endif %}"
                              "{% if enable_thinking is defined and enable_thinking is false %}!{% endif %}");
    VERIFY_RESULT(parsed);
    QCOMPARE(parsed->renderPrompt({{"user", "hi"}}).value(), std::string("<user>hi<assistant>"));
    QCOMPARE(parsed->renderPrompt({{"user", "hi"}}, false).value(), std::string("<user>hi<assistant>!"));
}

int runChatTemplateTests(int argc, char **argv)
{
    ChatTemplateTest test;
    return QTest::qExec(&test, argc, argv);
}

} // namespace dice::formats::tests

#include "testchattemplate.moc"
