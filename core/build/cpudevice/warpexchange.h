// The lanes of one warp that wait for each other: values go in, and come out when all lanes of the mask are there.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace dice::cpudevice {

struct Fiber;

class WarpExchange
{
public:
    void reset()
    {
        m_arrived = 0;
        m_isRelaxed = false;
    }
    // After an active mask was asked for, lanes of that mask may never come; see completeArrived.
    void relax() { m_isRelaxed = true; }
    bool isRelaxed() const { return m_isRelaxed; }
    std::uint32_t arrived() const { return m_arrived; }

    void arrive(unsigned lane, std::uint32_t mask, std::uint64_t value, Fiber *fiber)
    {
        m_arrived |= 1u << lane;
        m_masks[lane] = mask;
        m_values[lane] = value;
        m_fibers[lane] = fiber;
    }

    // The lanes that are set free now; none while somebody of the mask is missing. gone: lanes that have returned.
    std::uint32_t tryComplete(unsigned lane, std::uint32_t gone)
    {
        const std::uint32_t mask = m_masks[lane];
        const std::uint32_t needed = mask & ~gone;
        if ((m_arrived & needed) != needed || !allWaitFor(mask, needed))
            return 0;
        return complete(needed);
    }
    // Sets free whoever waits with the lane's mask, without those who are missing.
    std::uint32_t completeArrived(unsigned lane)
    {
        std::uint32_t group = 0;
        for (std::uint32_t rest = m_arrived; rest != 0; rest &= rest - 1) {
            const unsigned other = unsigned(std::countr_zero(rest));
            if (m_masks[other] == m_masks[lane])
                group |= 1u << other;
        }
        return complete(group);
    }

    Fiber *fiber(unsigned lane) const { return m_fibers[lane]; }
    const std::uint64_t *result(unsigned lane, std::uint32_t *present) const
    {
        const Result &result = m_results[m_resultOf[lane]];
        *present = result.present;
        return result.values.data();
    }

private:
    struct Result
    {
        std::array<std::uint64_t, 32> values;
        std::uint32_t present = 0;
    };

    bool allWaitFor(std::uint32_t mask, std::uint32_t lanes) const
    {
        for (; lanes != 0; lanes &= lanes - 1) {
            if (m_masks[std::countr_zero(lanes)] != mask)
                return false;
        }
        return true;
    }

    std::uint32_t complete(std::uint32_t lanes)
    {
        // A ring: the lanes of an earlier exchange read their result before any of them can take part in the next.
        m_next = (m_next + 1) % m_results.size();
        Result &result = m_results[m_next];
        result.values = m_values;
        result.present = lanes;
        for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1)
            m_resultOf[std::countr_zero(rest)] = std::uint8_t(m_next);
        m_arrived &= ~lanes;
        return lanes;
    }

    std::uint32_t m_arrived = 0;
    bool m_isRelaxed = false;
    std::array<std::uint32_t, 32> m_masks{};
    std::array<std::uint64_t, 32> m_values{};
    std::array<Fiber *, 32> m_fibers{};
    std::array<std::uint8_t, 32> m_resultOf{};
    std::array<Result, 8> m_results{};
    std::size_t m_next = 0;
};

} // namespace dice::cpudevice
