// Parts of a value: object.key, list[index], text[begin:end:step], with Python's rules for negative numbers.
#include "templatevalue.h"

#include <algorithm>

namespace dice::formats {

using Json = TemplateValue::Json;

TemplateValue memberOf(const TemplateValue &object, const TemplateValue &key, int line)
{
    const std::string name = key.isString() ? key.data.get<std::string>() : std::string();
    if (object.isUndefined())
        failTemplate(ErrorCode::InvalidData, "\"" + name + "\" of something that is not defined", line);
    if (object.kind == TemplateValue::Kind::Namespace) {
        const auto found = object.variables->find(name);
        if (found != object.variables->end())
            return found->second;
        if (object.variables->contains("revindex0")) // jinja's loop has more than this one
            failTemplate(ErrorCode::Unsupported, "loop." + name, line);
        return {};
    }
    if (object.data.is_object() && key.isString()) {
        const auto found = object.data.find(name);
        return found == object.data.end() ? TemplateValue() : TemplateValue(*found);
    }
    if (key.isInteger() && (object.data.is_array() || object.data.is_string())) {
        const auto length = lengthOf(object, line);
        auto index = key.data.get<std::int64_t>();
        index += index < 0 ? length : 0;
        if (index < 0 || index >= length)
            return {};
        if (object.data.is_array())
            return object.data[static_cast<std::size_t>(index)];
        return Json(charactersOf(object.data.get_ref<const std::string &>())[static_cast<std::size_t>(index)]);
    }
    return {};
}

TemplateValue sliceOf(const TemplateValue &object, const SliceLimits &limits, int line)
{
    if (object.kind != TemplateValue::Kind::Data || (!object.data.is_array() && !object.data.is_string()))
        failTemplate(ErrorCode::InvalidData, "a slice of something that has no order", line);
    const std::vector<TemplateValue> items = itemsOf(object, line);
    const auto length = static_cast<std::int64_t>(items.size());
    const std::int64_t step = limits.step.value_or(1);
    if (step == 0)
        failTemplate(ErrorCode::InvalidData, "a slice with step 0", line);
    const auto place = [&](std::optional<std::int64_t> limit, std::int64_t absent) {
        if (!limit)
            return absent;
        const std::int64_t fromStart = *limit < 0 ? *limit + length : *limit;
        return step > 0 ? std::clamp<std::int64_t>(fromStart, 0, length)
                        : std::clamp<std::int64_t>(fromStart, -1, length - 1);
    };
    const std::int64_t begin = place(limits.begin, step > 0 ? 0 : length - 1);
    const std::int64_t end = place(limits.end, step > 0 ? length : -1);
    Json list = Json::array();
    std::string text;
    for (std::int64_t i = begin; step > 0 ? i < end : i > end; i += step) {
        const Json &item = items[static_cast<std::size_t>(i)].data;
        if (object.data.is_string())
            text += item.get_ref<const std::string &>();
        else
            list.push_back(item);
    }
    return object.data.is_string() ? Json(text) : list;
}

} // namespace dice::formats
