#include "canvasstep.h"

namespace dice {

namespace {

// Short keys: a step is sent hundreds of times a second.
Json toJson(const TokenAlternative &alternative)
{
    return Json::array({alternative.token.value, alternative.text, alternative.probability});
}

TokenAlternative alternativeFromJson(const Json &json)
{
    return {TokenId(json.at(0).get<int>()), json.at(1).get<std::string>(), json.at(2).get<float>()};
}

Json toJson(const CanvasCell &cell)
{
    Json alternatives = Json::array();
    for (const TokenAlternative &alternative : cell.alternatives)
        alternatives.push_back(toJson(alternative));
    return {{"p", cell.position}, {"s", static_cast<int>(cell.state)}, {"t", cell.token.value},
            {"x", cell.text}, {"c", cell.confidence}, {"e", cell.entropy}, {"a", std::move(alternatives)}};
}

CanvasCell cellFromJson(const Json &json)
{
    CanvasCell cell;
    const int state = json.at("s").get<int>();
    if (state < 0 || state > static_cast<int>(CellState::Kept))
        throw std::out_of_range("cell state");
    cell.state = static_cast<CellState>(state);
    json.at("p").get_to(cell.position);
    cell.token = TokenId(json.at("t").get<int>());
    json.at("x").get_to(cell.text);
    json.at("c").get_to(cell.confidence);
    json.at("e").get_to(cell.entropy);
    for (const Json &alternative : arrayAt(json, "a"))
        cell.alternatives.push_back(alternativeFromJson(alternative));
    return cell;
}

} // namespace

Json toJson(const CanvasStep &step)
{
    Json cells = Json::array();
    for (const CanvasCell &cell : step.cells)
        cells.push_back(toJson(cell));
    return {{"block", step.block.value}, {"step", step.step}, {"cells", std::move(cells)}};
}

Result<CanvasStep> canvasStepFromJson(const Json &json)
{
    return decodeJson<CanvasStep>(json, "canvas step", [](const Json &from) -> Result<CanvasStep> {
        CanvasStep step;
        step.block = BlockIndex(from.at("block").get<int>());
        from.at("step").get_to(step.step);
        for (const Json &cell : arrayAt(from, "cells"))
            step.cells.push_back(cellFromJson(cell));
        return step;
    });
}

} // namespace dice
