// TensorAccessor and the packed accessors that kernels take by value.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace at {

template <class T> struct DefaultPtrTraits { typedef T *PtrType; };
template <class T> struct RestrictPtrTraits { typedef T *__restrict PtrType; };

template <class T, size_t N, template <class> class P = DefaultPtrTraits, class I = int64_t>
class TensorAccessor
{
public:
    TensorAccessor(T *data, const I *sizes, const I *strides)
        : m_data(data)
        , m_sizes(sizes)
        , m_strides(strides)
    {
    }
    T *data() const { return m_data; }
    I size(I i) const { return m_sizes[i]; }
    I stride(I i) const { return m_strides[i]; }
    decltype(auto) operator[](I i) const
    {
        if constexpr (N == 1)
            return (m_data[m_strides[0] * i]);
        else
            return TensorAccessor<T, N - 1, P, I>(m_data + m_strides[0] * i, m_sizes + 1, m_strides + 1);
    }

private:
    T *m_data;
    const I *m_sizes;
    const I *m_strides;
};

template <class T, size_t N, template <class> class P = DefaultPtrTraits, class I = int64_t>
class GenericPackedTensorAccessor
{
public:
    template <class J>
    GenericPackedTensorAccessor(T *data, const J *sizes, const J *strides)
        : m_data(data)
    {
        for (size_t i = 0; i < N; ++i) {
            m_sizes[i] = I(sizes[i]);
            m_strides[i] = I(strides[i]);
        }
    }
    T *data() const { return m_data; }
    I size(I i) const { return m_sizes[i]; }
    I stride(I i) const { return m_strides[i]; }
    decltype(auto) operator[](I i) const
    {
        if constexpr (N == 1)
            return (m_data[m_strides[0] * i]);
        else
            return TensorAccessor<T, N - 1, P, I>(m_data + m_strides[0] * i, m_sizes + 1, m_strides + 1);
    }

private:
    T *m_data;
    I m_sizes[N];
    I m_strides[N];
};

template <class T, size_t N, template <class> class P = DefaultPtrTraits>
using PackedTensorAccessor32 = GenericPackedTensorAccessor<T, N, P, int32_t>;
template <class T, size_t N, template <class> class P = DefaultPtrTraits>
using PackedTensorAccessor64 = GenericPackedTensorAccessor<T, N, P, int64_t>;
template <class T, size_t N, template <class> class P = DefaultPtrTraits, class I = int64_t>
using PackedTensorAccessor = GenericPackedTensorAccessor<T, N, P, I>;

} // namespace at
