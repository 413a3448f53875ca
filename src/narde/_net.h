/* The arithmetic of a small value network in whole numbers, so that every machine gives the same bytes.
 *
 * A hidden unit is a 16-bit sum of columns, one for each place and number of checkers there; the outputs are 32-bit
 * dot products of the positive parts. The loader proves that neither can overflow (network.py, `_check_ranges`).
 */
#ifndef NARDE_NET_H
#define NARDE_NET_H

#include "_bits.h"

#define NET_MOST_HIDDEN 512
#define NET_OUTPUTS 5
#define NET_LANES 8 /* outputs filled up to a whole vector */

#if defined(__x86_64__) && defined(__GNUC__) && !defined(NARDE_PLAIN)
#include <immintrin.h>
#define NET_HAS_AVX2 1
#define NET_AVX2 __attribute__((target("avx2")))
#endif

static int net_uses_avx2; /* set once, when the module is loaded */

ND_INLINE void net_init(int wanted) {
#if defined(NET_HAS_AVX2)
    net_uses_avx2 = wanted && __builtin_cpu_supports("avx2");
#else
    (void)wanted;
#endif
}

/* The chances of winning and so on, each 1 / (1 + exp(-x)) of its dot product.
 *
 * exp(x) is 2**n * e**f with f within ln 2 / 2 of 0, by the Taylor series to the sixth power (relative error below
 * 2e-7). Plain float arithmetic in a fixed order, never fused: the same bytes everywhere. */
ND_INLINE void net_chances(const int32_t *dot, float scale, float *chances) {
    float rest[NET_LANES], power[NET_LANES];
    int32_t bits[NET_LANES], limit = (int32_t)(40.0f / scale);
    for (int k = 0; k < NET_LANES; k++) {
        int32_t x = dot[k] < -limit ? -limit : dot[k];
        x = x > limit ? limit : x;
        float y = (float)x * scale * -1.44269504f;
        float n = (y + 12582912.0f) - 12582912.0f; /* the nearest whole number: 2**23 + 2**22 leaves no fraction */
        rest[k] = (y - n) * 0.693147181f;
        bits[k] = ((int32_t)n + 127) << 23;
    }
    memcpy(power, bits, sizeof power);
    for (int k = 0; k < NET_LANES; k++) {
        float f = rest[k], e = 0.00833333333f + f * 0.00138888889f;
        e = 0.166666667f + f * (0.0416666667f + f * e);
        e = 1.0f + f * (1.0f + f * (0.5f + f * e));
        chances[k] = 1.0f / (1.0f + e * power[k]);
    }
}

/* to = from with four columns exchanged: what a checker's move does to its two places */
static void net_move_plain(int16_t *to, const int16_t *from, const int16_t **columns, int hidden) {
    const int16_t *a = columns[0], *b = columns[1], *c = columns[2], *d = columns[3];
    for (int i = 0; i < hidden; i++) to[i] = (int16_t)(from[i] + a[i] - b[i] + c[i] - d[i]);
}

/* dot = bias + weights * positive parts of (from with four columns exchanged) */
static void net_last_plain(const int16_t *from, const int16_t **columns, const int16_t *weights, const int32_t *bias,
                           float scale, int hidden, float *chances) {
    int16_t sums[NET_MOST_HIDDEN];
    int32_t dot[NET_LANES] = {0};
    net_move_plain(sums, from, columns, hidden);
    for (int i = 0; i < hidden; i++) sums[i] = sums[i] > 0 ? sums[i] : 0;
    for (int k = 0; k < NET_OUTPUTS; k++) {
        int32_t sum = bias[k];
        for (int i = 0; i < hidden; i++) sum += (int32_t)sums[i] * weights[k * hidden + i];
        dot[k] = sum;
    }
    net_chances(dot, scale, chances);
}

#if defined(NET_HAS_AVX2)

#define NET_LOAD(p) _mm256_loadu_si256((const __m256i *)(p))

NET_AVX2 ND_INLINE __m256i net_exchanged(const int16_t *from, const int16_t **columns, int i) {
    __m256i plus = _mm256_add_epi16(NET_LOAD(columns[0] + i), NET_LOAD(columns[2] + i));
    __m256i minus = _mm256_add_epi16(NET_LOAD(columns[1] + i), NET_LOAD(columns[3] + i));
    return _mm256_add_epi16(NET_LOAD(from + i), _mm256_sub_epi16(plus, minus));
}

NET_AVX2 static void net_move_avx2(int16_t *to, const int16_t *from, const int16_t **columns, int hidden) {
    for (int i = 0; i < hidden; i += 16) _mm256_storeu_si256((__m256i *)(to + i), net_exchanged(from, columns, i));
}

NET_AVX2 static void net_last_avx2(const int16_t *from, const int16_t **columns, const int16_t *weights,
                                   const int32_t *bias, float scale, int hidden, float *chances) {
    __m256i s[NET_OUTPUTS], t, u, zero = _mm256_setzero_si256();
    int32_t dot[NET_LANES];
    for (int k = 0; k < NET_OUTPUTS; k++) s[k] = zero;
    for (int i = 0; i < hidden; i += 16) {
        __m256i h = _mm256_max_epi16(net_exchanged(from, columns, i), zero);
        for (int k = 0; k < NET_OUTPUTS; k++)
            s[k] = _mm256_add_epi32(s[k], _mm256_madd_epi16(h, NET_LOAD(weights + k * hidden + i)));
    }
    t = _mm256_hadd_epi32(_mm256_hadd_epi32(s[0], s[1]), _mm256_hadd_epi32(s[2], s[3]));
    u = _mm256_hadd_epi32(_mm256_hadd_epi32(s[4], zero), zero);
    _mm_storeu_si128((__m128i *)dot, _mm_add_epi32(_mm256_castsi256_si128(t), _mm256_extracti128_si256(t, 1)));
    _mm_storeu_si128((__m128i *)(dot + 4), _mm_add_epi32(_mm256_castsi256_si128(u), _mm256_extracti128_si256(u, 1)));
    for (int k = 0; k < NET_LANES; k++) dot[k] += bias[k];
    net_chances(dot, scale, chances);
}

ND_INLINE void net_move(int16_t *to, const int16_t *from, const int16_t **columns, int hidden) {
    if (net_uses_avx2) net_move_avx2(to, from, columns, hidden);
    else net_move_plain(to, from, columns, hidden);
}

ND_INLINE void net_last(const int16_t *from, const int16_t **columns, const int16_t *weights, const int32_t *bias,
                        float scale, int hidden, float *chances) {
    if (net_uses_avx2) net_last_avx2(from, columns, weights, bias, scale, hidden, chances);
    else net_last_plain(from, columns, weights, bias, scale, hidden, chances);
}

#else

#define net_move net_move_plain
#define net_last net_last_plain

#endif

#endif
