#include "standardheaders.h"

#include "tokens.h"

#include <map>
#include <set>

namespace dice::build {

namespace {

const std::map<std::string_view, std::string_view> &headerOf()
{
    static const std::map<std::string_view, std::string_view> headers = {
        {"cout", "iostream"},
        {"cerr", "iostream"},
        {"endl", "iostream"},
        {"clog", "iostream"},
        {"stringstream", "sstream"},
        {"ostringstream", "sstream"},
        {"istringstream", "sstream"},
        {"setprecision", "iomanip"},
        {"setw", "iomanip"},
        {"function", "functional"},
        {"bind", "functional"},
        {"plus", "functional"},
        {"multiplies", "functional"},
        {"less", "functional"},
        {"greater", "functional"},
        {"hash", "functional"},
        {"unique_ptr", "memory"},
        {"shared_ptr", "memory"},
        {"make_unique", "memory"},
        {"make_shared", "memory"},
        {"once_flag", "mutex"},
        {"call_once", "mutex"},
        {"accumulate", "numeric"},
        {"iota", "numeric"},
        {"inner_product", "numeric"},
        {"map", "map"},
        {"unordered_map", "unordered_map"},
        {"set", "set"},
        {"unordered_set", "unordered_set"},
        {"deque", "deque"},
        {"list", "list"},
        {"queue", "queue"},
        {"stack", "stack"},
        {"bitset", "bitset"},
        {"mutex", "mutex"},
        {"lock_guard", "mutex"},
        {"unique_lock", "mutex"},
        {"thread", "thread"},
        {"this_thread", "thread"},
        {"atomic", "atomic"},
        {"condition_variable", "condition_variable"},
        {"future", "future"},
        {"async", "future"},
        {"chrono", "chrono"},
        {"complex", "complex"},
        {"runtime_error", "stdexcept"},
        {"invalid_argument", "stdexcept"},
        {"logic_error", "stdexcept"},
        {"out_of_range", "stdexcept"},
        {"mt19937", "random"},
        {"ifstream", "fstream"},
        {"ofstream", "fstream"},
        {"string_view", "string_view"},
        {"variant", "variant"},
        {"any", "any"},
        {"regex", "regex"},
        {"sort", "algorithm"},
        {"fill", "algorithm"},
        {"copy", "algorithm"},
        {"transform", "algorithm"},
        {"reverse", "algorithm"},
        {"max_element", "algorithm"},
        {"min_element", "algorithm"},
        {"find", "algorithm"},
        {"find_if", "algorithm"},
        {"any_of", "algorithm"},
        {"all_of", "algorithm"},
        {"none_of", "algorithm"},
        {"count", "algorithm"},
        {"clamp", "algorithm"},
        {"swap_ranges", "algorithm"},
        {"remove_if", "algorithm"},
        {"lower_bound", "algorithm"},
        {"upper_bound", "algorithm"},
        {"stable_sort", "algorithm"},
        {"for_each", "algorithm"},
        {"rotate", "algorithm"},
        {"unique", "algorithm"},
        {"generate", "algorithm"},
        {"minmax_element", "algorithm"},
        {"partial_sum", "numeric"},
        {"gcd", "numeric"},
        {"lcm", "numeric"},
        {"getenv", "cstdlib"},
        {"numeric_limits", "limits"},
        {"exception", "exception"},
    };
    return headers;
}

} // namespace

std::string standardHeadersFor(std::string_view text)
{
    const std::vector<Token> tokens = tokenize(text);
    std::set<std::string_view> needed;
    for (std::size_t i = 2; i < tokens.size(); ++i) {
        if (!tokens[i - 1].is("::") || !tokens[i - 2].is("std"))
            continue;
        if (const auto found = headerOf().find(tokens[i].text); found != headerOf().end())
            needed.insert(found->second);
        // The forms that take a list: std::max({a, b, c}).
        const bool isListForm = (tokens[i].is("min") || tokens[i].is("max")) && i + 2 < tokens.size()
            && tokens[i + 1].is("(") && tokens[i + 2].is("{");
        if (isListForm)
            needed.insert("algorithm");
    }
    std::string result;
    for (std::string_view header : needed)
        result.append("#include <").append(header).append(">\n");
    return result;
}

} // namespace dice::build
