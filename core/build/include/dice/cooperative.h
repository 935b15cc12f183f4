// Cooperative groups within a block: the block, tiles of a warp, coalesced threads, reductions and scans over them.
#pragma once

#include "dice/device.h"

namespace cooperative_groups {

class thread_block
{
public:
    static void sync() { __syncthreads(); }
    static unsigned thread_rank() { return dice_thread->thread; }
    static unsigned size() { return dice_thread->total; }
    static unsigned num_threads() { return dice_thread->total; }
    static dim3 group_index() { return dim3(blockIdx); }
    static dim3 thread_index() { return dim3(threadIdx); }
    static dim3 dim_threads() { return blockDim; }
    static dim3 group_dim() { return blockDim; }
};

inline thread_block this_thread_block() { return {}; }
template <class Group> inline void sync(const Group &group) { group.sync(); }

namespace dicedetail {

// Lanes of one warp, given by their mask.
class LaneGroup
{
public:
    explicit LaneGroup(unsigned mask)
        : m_mask(mask)
    {
    }
    void sync() const { __syncwarp(m_mask); }
    unsigned size() const { return unsigned(__popc(m_mask)); }
    unsigned num_threads() const { return size(); }
    unsigned thread_rank() const { return unsigned(__popc(m_mask & ((1u << dice::lane()) - 1))); }
    template <class T> T shfl(T value, int rank) const { return __shfl_sync(m_mask, value, laneOf(unsigned(rank))); }
    template <class T> T shfl_down(T value, unsigned delta) const { return moved(value, int(delta)); }
    template <class T> T shfl_up(T value, unsigned delta) const { return moved(value, -int(delta)); }
    template <class T> T shfl_xor(T value, unsigned mask) const
    {
        return __shfl_sync(m_mask, value, laneOf(thread_rank() ^ mask));
    }
    int any(int predicate) const { return __any_sync(m_mask, predicate); }
    int all(int predicate) const { return __all_sync(m_mask, predicate); }
    unsigned ballot(int predicate) const { return compact(__ballot_sync(m_mask, predicate)); }
    template <class T> unsigned match_any(T value) const { return compact(__match_any_sync(m_mask, value)); }
    unsigned laneMask() const { return m_mask; }

protected:
    // The lane of a rank; a rank outside the group gives the caller's own lane.
    int laneOf(unsigned rank) const
    {
        unsigned seen = 0;
        for (int lane = 0; lane < 32; ++lane)
            if (m_mask >> lane & 1u && seen++ == rank)
                return lane;
        return int(dice::lane());
    }
    template <class T> T moved(T value, int step) const
    {
        const int rank = int(thread_rank()) + step;
        const bool isInside = rank >= 0 && rank < int(size());
        return __shfl_sync(m_mask, value, isInside ? laneOf(unsigned(rank)) : int(dice::lane()));
    }
    unsigned compact(unsigned lanes) const
    {
        unsigned result = 0, rank = 0;
        for (int lane = 0; lane < 32; ++lane)
            if (m_mask >> lane & 1u)
                result |= (lanes >> lane & 1u) << rank++;
        return result;
    }

private:
    unsigned m_mask;
};

inline unsigned tileMask(unsigned size)
{
    const unsigned first = dice::lane() / size * size;
    const unsigned wanted = (size >= 32 ? ~0u : (1u << size) - 1) << first;
    const unsigned rest = dice_thread->total - dice_thread->thread / 32 * 32; // lanes of this warp that exist
    return wanted & (rest >= 32 ? ~0u : (1u << rest) - 1);
}

} // namespace dicedetail

template <unsigned Size, class Parent = void>
class thread_block_tile : public dicedetail::LaneGroup
{
    static_assert(Size != 0 && (Size & (Size - 1)) == 0 && Size <= 32, "a tile has 1 to 32 threads, a power of two");

public:
    thread_block_tile()
        : LaneGroup(dicedetail::tileMask(Size))
    {
    }
    template <class Other> thread_block_tile(const thread_block_tile<Size, Other> &) : thread_block_tile() {}
    static constexpr unsigned size() { return Size; }
    static constexpr unsigned num_threads() { return Size; }
    unsigned thread_rank() const { return dice::lane() % Size; }
    unsigned meta_group_rank() const { return dice_thread->thread / Size; }
    unsigned meta_group_size() const { return (dice_thread->total + Size - 1) / Size; }
    template <class T> T shfl(T value, int rank) const { return __shfl_sync(laneMask(), value, rank, Size); }
    template <class T> T shfl_down(T value, unsigned delta) const { return __shfl_down_sync(laneMask(), value, delta, Size); }
    template <class T> T shfl_up(T value, unsigned delta) const { return __shfl_up_sync(laneMask(), value, delta, Size); }
    template <class T> T shfl_xor(T value, unsigned mask) const { return __shfl_xor_sync(laneMask(), value, int(mask), Size); }
};

class coalesced_group : public dicedetail::LaneGroup
{
public:
    coalesced_group()
        : LaneGroup(__activemask())
    {
        // The lanes that are here, not those that could be.
        uint32_t present = 0;
        dice_api->exchange(dice_thread, laneMask(), 0, &present);
        static_cast<LaneGroup &>(*this) = LaneGroup(present);
    }
};

template <unsigned Size, class Group>
inline thread_block_tile<Size, Group> tiled_partition(const Group &)
{
    return {};
}
inline coalesced_group coalesced_threads() { return {}; }

template <class T> struct plus { T operator()(T a, T b) const { return a + b; } };
template <class T> struct less { T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T> struct greater { T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T> struct bit_and { T operator()(T a, T b) const { return a & b; } };
template <class T> struct bit_or { T operator()(T a, T b) const { return a | b; } };
template <class T> struct bit_xor { T operator()(T a, T b) const { return a ^ b; } };

template <class Group, class T, class Combine>
inline T reduce(const Group &group, T value, Combine combine)
{
    return dice::reduceWarp(group.laneMask(), value, combine);
}
template <class Group, class T, class Combine>
inline T inclusive_scan(const Group &group, T value, Combine combine)
{
    for (unsigned step = 1; step < group.size(); step *= 2) {
        const T other = group.shfl_up(value, step);
        if (group.thread_rank() >= step)
            value = combine(other, value);
    }
    return value;
}
template <class Group, class T> inline T inclusive_scan(const Group &group, T value)
{
    return inclusive_scan(group, value, plus<T>());
}
template <class Group, class T, class Combine>
inline T exclusive_scan(const Group &group, T value, Combine combine)
{
    const T whole = inclusive_scan(group, value, combine);
    const T before = group.shfl_up(whole, 1);
    return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T> inline T exclusive_scan(const Group &group, T value)
{
    return exclusive_scan(group, value, plus<T>());
}

} // namespace cooperative_groups
