/* Bits of a mask and of 64-bit products, the same answers from every compiler; and what this build runs on. */
#ifndef NARDE_BITS_H
#define NARDE_BITS_H

#include <stdint.h>
#include <string.h>

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#define ND_INLINE static __forceinline
#else
#define ND_INLINE static inline __attribute__((always_inline))
#endif

#if !defined(NARDE_PLAIN) && defined(__AVX2__)
#define ND_AVX2 1
#define ND_SSE2 1
#include <immintrin.h>
#elif !defined(NARDE_PLAIN) && (defined(__SSE2__) || defined(_M_X64))
#define ND_SSE2 1
#include <emmintrin.h>
#elif !defined(NARDE_PLAIN) && (defined(__aarch64__) || defined(_M_ARM64))
#define ND_NEON 1
#include <arm_neon.h>
#endif

#if defined(ND_AVX2) || defined(ND_NEON)
#define ND_SIDE_BY_SIDE 1 /* vectors shift each of their numbers by a number of its own */
#else
#define ND_SIDE_BY_SIDE 0
#endif

ND_INLINE int nd_lowest(uint64_t x) { /* index of the lowest bit set; x is not 0 */
#if defined(_MSC_VER) && !defined(__clang__)
    unsigned long i;
    _BitScanForward64(&i, x);
    return (int)i;
#else
    return __builtin_ctzll(x);
#endif
}

ND_INLINE int nd_highest(uint32_t x) { /* index of the highest bit set; x is not 0 */
#if defined(_MSC_VER) && !defined(__clang__)
    unsigned long i;
    _BitScanReverse(&i, x);
    return (int)i;
#else
    return 31 - __builtin_clz(x);
#endif
}

ND_INLINE int nd_count(uint32_t x) { /* how many bits are set */
#if defined(__POPCNT__) || defined(__aarch64__)
    return __builtin_popcount(x);
#else /* without the instruction the compiler would call a table look-up */
    x -= (x >> 1) & 0x55555555u;
    x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
    return (int)((((x + (x >> 4)) & 0x0F0F0F0Fu) * 0x01010101u) >> 24);
#endif
}

ND_INLINE int nd_select(uint32_t x, int n) { /* index of the bit set above n others; x has more than n */
#if defined(__BMI2__) && !defined(NARDE_PLAIN)
    return nd_lowest(_pdep_u32(1u << n, x));
#else
    while (n-- > 0) x &= x - 1;
    return nd_lowest(x);
#endif
}

ND_INLINE uint64_t nd_mulhi(uint64_t a, uint64_t b, uint64_t *low) { /* upper half of the 128-bit product */
#if defined(_MSC_VER) && !defined(__clang__)
    *low = a * b;
    return __umulh(a, b);
#else
    unsigned __int128 product = (unsigned __int128)a * b;
    *low = (uint64_t)product;
    return (uint64_t)(product >> 64);
#endif
}

ND_INLINE uint64_t nd_below(uint64_t word, uint64_t n) { /* a number below n from 64 random bits, even to n / 2**64 */
    uint64_t low;
    return nd_mulhi(word, n, &low);
}

ND_INLINE int nd_cpu_runs_v3(void) { /* whether this processor has all that the AVX2 build uses */
#if defined(__x86_64__) && defined(__GNUC__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt");
#else
    return 0;
#endif
}

ND_INLINE const char *nd_instructions(void) { /* the vector instructions of this build */
#if defined(ND_AVX2)
    return "avx2";
#elif defined(ND_SSE2)
    return "sse2";
#elif defined(ND_NEON)
    return "neon";
#else
    return "plain";
#endif
}

#endif
