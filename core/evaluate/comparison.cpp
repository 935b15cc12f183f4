#include "core/evaluate/comparison.h"

#include "core/evaluate/elementwalk.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>

namespace dice::evaluate {

namespace {

constexpr double tolerance16Bits = 1e-2;
constexpr double tolerance8Bits = 0.25; // E5M2 has two bits after the leading one

std::string shapeText(const std::vector<std::int64_t> &shape)
{
    std::string text = "(";
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
        text += (axis ? ", " : "") + std::to_string(shape[axis]);
    return text + ")";
}

double formatTolerance(const NumberFormat &format, double tolerance)
{
    if (format.kind != NumberKind::Floating)
        return tolerance;
    if (format.sizeBytes == 2)
        return std::max(tolerance, tolerance16Bits);
    return format.sizeBytes == 1 ? tolerance8Bits : tolerance;
}

class Comparer
{
public:
    Comparer(const CallValues &expected, const CallValues &actual, double tolerance)
        : m_expectedBytes(expected.bytes)
        , m_actualBytes(actual.bytes)
        , m_tolerance(tolerance)
    {
        values(expected.root, actual.root, "");
    }

    Comparison take() { return std::move(m_result); }

private:
    void values(const Value &expected, const Value &actual, const std::string &path)
    {
        if (expected.kind != actual.kind)
            return differs(path, "is " + describe(actual) + ", expected " + describe(expected));
        switch (expected.kind) {
        case ValueKind::Tensor:
            return tensors(expected.tensor, actual.tensor, path);
        case ValueKind::Sequence:
            return sequences(expected, actual, path);
        case ValueKind::Dict:
            return dicts(expected, actual, path);
        case ValueKind::Float:
            return noteFloat(expected.number, actual.number, m_tolerance, {path, 0});
        case ValueKind::Other:
            return differs(path, "is " + describe(actual) + ", which cannot be compared");
        default:
            if (expected.text != actual.text)
                differs(path, "is " + describe(actual) + ", expected " + describe(expected));
        }
    }

    void sequences(const Value &expected, const Value &actual, const std::string &path)
    {
        if (expected.items.size() != actual.items.size())
            return differs(path,
                           "has " + std::to_string(actual.items.size()) + " parts, expected "
                               + std::to_string(expected.items.size()));
        for (std::size_t i = 0; i < expected.items.size(); ++i)
            values(expected.items[i], actual.items[i], path + "[" + std::to_string(i) + "]");
    }

    void dicts(const Value &expected, const Value &actual, const std::string &path)
    {
        if (expected.keys.size() != actual.keys.size())
            return differs(path,
                           "has " + std::to_string(actual.keys.size()) + " keys, expected "
                               + std::to_string(expected.keys.size()));
        for (std::size_t i = 0; i < expected.keys.size(); ++i) {
            const auto found = std::find(actual.keys.begin(), actual.keys.end(), expected.keys[i]);
            if (found == actual.keys.end())
                return differs(path, "lacks the key " + expected.keys[i].substr(0, 80));
            const auto at = static_cast<std::size_t>(found - actual.keys.begin());
            values(expected.items[i], actual.items[at], path + "[" + expected.keys[i].substr(0, 80) + "]");
        }
    }

    void tensors(const TensorLayout &expected, const TensorLayout &actual, const std::string &path)
    {
        if (expected.format != actual.format)
            return differs(path,
                           "has dtype " + std::string(actual.format->name) + ", expected "
                               + std::string(expected.format->name));
        if (expected.shape != actual.shape)
            return differs(path, "has shape " + shapeText(actual.shape) + ", expected " + shapeText(expected.shape));
        const NumberFormat &format = *expected.format;
        const double tolerance = formatTolerance(format, m_tolerance);
        ElementWalk walkExpected(expected, m_expectedBytes);
        ElementWalk walkActual(actual, m_actualBytes);
        const std::int64_t count = expected.numElements();
        for (std::int64_t index = 0; index < count; ++index)
            element(format, walkExpected.next(), walkActual.next(), tolerance, {path, index});
    }

    struct Place
    {
        const std::string &path;
        std::int64_t index;
    };

    void element(const NumberFormat &format, const std::byte *expected, const std::byte *actual, double tolerance,
                 Place place)
    {
        if (format.kind == NumberKind::Floating)
            return noteFloat(realValue(format, expected), realValue(format, actual), tolerance, place);
        if (format.kind == NumberKind::Complex)
            return noteComplex(format, expected, actual, place);
        const bool isEqual = format.kind == NumberKind::Boolean
            ? realValue(format, expected) == realValue(format, actual)
            : std::memcmp(expected, actual, format.sizeBytes) == 0;
        if (isEqual)
            return;
        const double expectedNumber = realValue(format, expected);
        const double actualNumber = realValue(format, actual);
        note(expectedNumber, actualNumber, std::fabs(actualNumber - expectedNumber), place);
    }

    void noteFloat(double expected, double actual, double tolerance, Place place)
    {
        if (expected == actual) // equal infinities too
            return;
        const double error = std::fabs(actual - expected);
        if (error <= tolerance + tolerance * std::fabs(expected) && std::isfinite(expected)) {
            if (m_result.numWrong == 0)
                m_result.worstError = std::max(m_result.worstError, error);
            return;
        }
        note(expected, actual, std::isnan(error) ? std::numeric_limits<double>::infinity() : error, place);
    }

    void noteComplex(const NumberFormat &format, const std::byte *expected, const std::byte *actual, Place place)
    {
        const NumberFormat &part = *findNumberFormat(format.sizeBytes == 8 ? "float32" : "float64");
        const std::complex<double> ref(realValue(part, expected), realValue(part, expected + part.sizeBytes));
        const std::complex<double> out(realValue(part, actual), realValue(part, actual + part.sizeBytes));
        if (ref == out || std::abs(out - ref) <= m_tolerance + m_tolerance * std::abs(ref))
            return;
        note(std::abs(ref), std::abs(out), std::abs(out - ref), place);
    }

    void note(double expected, double actual, double error, Place place)
    {
        m_result.isEqual = false;
        ++m_result.numWrong;
        if (m_result.numWrong > 1 && !(error > m_result.worstError))
            return;
        m_result.worstError = error;
        m_result.worstIndex = place.index;
        m_result.worstPath = place.path;
        m_result.expected = expected;
        m_result.actual = actual;
    }

    void differs(const std::string &path, const std::string &what)
    {
        m_result.isEqual = false;
        if (m_result.difference.empty())
            m_result.difference = (path.empty() ? "the output " : "output " + path + " ") + what;
    }

    static std::string describe(const Value &value)
    {
        switch (value.kind) {
        case ValueKind::Tensor:
            return "a tensor";
        case ValueKind::Sequence:
            return "a sequence of " + std::to_string(value.items.size());
        case ValueKind::Dict:
            return "a dict";
        case ValueKind::None:
            return "None";
        case ValueKind::Other:
            return value.text;
        case ValueKind::Float:
            return "the number " + std::to_string(value.number);
        case ValueKind::Text:
            return "the text '" + value.text.substr(0, 60) + "'";
        default:
            return value.text.substr(0, 60);
        }
    }

    std::span<const std::byte> m_expectedBytes;
    std::span<const std::byte> m_actualBytes;
    double m_tolerance;
    Comparison m_result;
};

} // namespace

Comparison compare(const CallValues &expected, const CallValues &actual, double tolerance)
{
    return Comparer(expected, actual, tolerance).take();
}

} // namespace dice::evaluate
