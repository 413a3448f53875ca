/* The arithmetic of a small value network in whole numbers, so that every machine gives the same bytes.
 *
 * A hidden unit is a 16-bit sum of weights, one for each input that is set; the outputs are 32-bit dot products of
 * the positive parts. The loader proves that neither can overflow (network.py, `_check_ranges`); sums of a part of
 * the weights may wrap round on the way.
 */
#ifndef NARDE_NET_H
#define NARDE_NET_H

#include "_bits.h"

#define NET_MOST_HIDDEN 512
#define NET_OUTPUTS 5
#define NET_BATCH 64 /* afterstates whose values are found at once */

#if defined(__x86_64__) && defined(__GNUC__) && !defined(NARDE_PLAIN)
#include <immintrin.h>
#define NET_HAS_AVX2 1
#define NET_AVX2 __attribute__((target("avx2")))
#endif

#if defined(_MSC_VER)
#define NET_ALIGNED __declspec(align(64))
#else
#define NET_ALIGNED __attribute__((aligned(64)))
#endif

static int net_uses_avx2; /* set once, when the module is loaded */

ND_INLINE void net_init(int wanted) {
#if defined(NET_HAS_AVX2)
    net_uses_avx2 = wanted && __builtin_cpu_supports("avx2");
#else
    (void)wanted, (void)net_uses_avx2;
#endif
}

typedef struct { /* what a move changes: the weights that come and go, two more if it hits (else NULL) */
    const int16_t *plus, *minus, *hit_plus, *hit_minus;
} net_change_t;

typedef struct { /* the output layer */
    const int16_t *weights; /* (outputs, hidden) */
    int32_t bias[NET_OUTPUTS];
    float scale;   /* of the whole numbers */
    int32_t limit; /* where chances end: 40 / scale */
    int hidden;
} net_outputs_t;

typedef struct { /* afterstates that wait for their values */
    int32_t dots[NET_OUTPUTS * NET_BATCH];
    float values[NET_BATCH];
    uint64_t over; /* those in which the game is over: a bit each */
    int count;
} net_waiting_t;

typedef struct NET_ALIGNED { /* a row and its hidden sums */
    int16_t sums[NET_MOST_HIDDEN];
    int8_t row[64]; /* 28 of them */
} net_hidden_t;

/* Where things stand, as tables: a chain of conditions here would cost more than the sums. */
static int8_t net_index[2][32];     /* by game and source: where the mover's checker stands in the flipped row */
static uint8_t net_input[2][28][16]; /* by side, index and checkers there: the input that one more checker adds to */

static inline void net_fill_tables(void) {
    for (int source = 0; source < 32; source++) { /* 0 the bar, else 25 - point, from 25 on off */
        net_index[0][source] = (int8_t)(source >= 25 ? 27 : source <= 12 ? 12 - source : 36 - source);
        net_index[1][source] = (int8_t)(source >= 25 ? 27 : source ? source - 1 : 25);
    }
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 28; i++)
            for (int n = 0; n < 16; n++) { /* -1, an opposing blot, counts as 0 and is looked up as 15 */
                int known = n == 15 ? 0 : n < 3 ? n : 3;
                net_input[side][i][n] = (uint8_t)(98 * side + (i < 24 ? 4 * i + known : i < 26 ? 96 : 97));
            }
}

/* ---- Hidden sums ---- */

/* to = from + all columns */
static inline void net_sum_plain(int16_t *to, const int16_t *from, const int16_t **columns, int count, int hidden) {
    if (to != from) memcpy(to, from, (size_t)hidden * sizeof *to);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < hidden; i++) to[i] = (int16_t)(to[i] + columns[k][i]);
}

/* to = from with a change */
static inline void net_move_plain(int16_t *to, const int16_t *from, const net_change_t *c, int hidden) {
    for (int i = 0; i < hidden; i++) to[i] = (int16_t)(from[i] + c->plus[i] - c->minus[i]);
    if (c->hit_plus)
        for (int i = 0; i < hidden; i++) to[i] = (int16_t)(to[i] + c->hit_plus[i] - c->hit_minus[i]);
}

/* dots[k][j] = bias + weights of output k * positive parts of (from with change j); dots has rows of NET_BATCH, and
 * those of koks are needed only where it is scored */
static inline void net_dots_plain(const int16_t *from, const net_change_t *changes, int count, const net_outputs_t *out,
                           int koks, int32_t *dots) {
    int16_t sums[NET_MOST_HIDDEN];
    for (int j = 0; j < count; j++) {
        net_move_plain(sums, from, &changes[j], out->hidden);
        for (int i = 0; i < out->hidden; i++) sums[i] = sums[i] > 0 ? sums[i] : 0;
        for (int k = 0; k < NET_OUTPUTS; k++) {
            const int16_t *w = out->weights + k * out->hidden;
            int32_t sum = out->bias[k];
            if (!koks && (k == 2 || k == 4)) continue;
            for (int i = 0; i < out->hidden; i++) sum += (int32_t)sums[i] * w[i];
            dots[k * NET_BATCH + j] = sum;
        }
    }
}

#if defined(NET_HAS_AVX2)

#define NET_LOAD(p) _mm256_loadu_si256((const __m256i *)(p))
#define NET_STORE(p, x) _mm256_storeu_si256((__m256i *)(p), x)

NET_AVX2 static inline void net_sum_avx2(int16_t *to, const int16_t *from, const int16_t **columns, int count, int hidden) {
    int i = 0;
    for (; i + 64 <= hidden; i += 64) {
        __m256i a = NET_LOAD(from + i), b = NET_LOAD(from + i + 16);
        __m256i c = NET_LOAD(from + i + 32), d = NET_LOAD(from + i + 48);
        for (int k = 0; k < count; k++) {
            const int16_t *column = columns[k] + i;
            a = _mm256_add_epi16(a, NET_LOAD(column));
            b = _mm256_add_epi16(b, NET_LOAD(column + 16));
            c = _mm256_add_epi16(c, NET_LOAD(column + 32));
            d = _mm256_add_epi16(d, NET_LOAD(column + 48));
        }
        NET_STORE(to + i, a);
        NET_STORE(to + i + 16, b);
        NET_STORE(to + i + 32, c);
        NET_STORE(to + i + 48, d);
    }
    for (; i < hidden; i += 16) {
        __m256i a = NET_LOAD(from + i);
        for (int k = 0; k < count; k++) a = _mm256_add_epi16(a, NET_LOAD(columns[k] + i));
        NET_STORE(to + i, a);
    }
}

NET_AVX2 ND_INLINE __m256i net_changed(const int16_t *from, const net_change_t *c, int hit, int i) {
    __m256i sum = _mm256_add_epi16(NET_LOAD(from + i), _mm256_sub_epi16(NET_LOAD(c->plus + i), NET_LOAD(c->minus + i)));
    if (hit) sum = _mm256_add_epi16(sum, _mm256_sub_epi16(NET_LOAD(c->hit_plus + i), NET_LOAD(c->hit_minus + i)));
    return sum;
}

NET_AVX2 static inline void net_move_avx2(int16_t *to, const int16_t *from, const net_change_t *c, int hidden) {
    if (c->hit_plus)
        for (int i = 0; i < hidden; i += 16) NET_STORE(to + i, net_changed(from, c, 1, i));
    else
        for (int i = 0; i < hidden; i += 16) NET_STORE(to + i, net_changed(from, c, 0, i));
}

/* the dot products of one change; hidden, koks and hit are constants where this is called */
NET_AVX2 ND_INLINE void net_dot(const int16_t *from, const net_change_t *c, const net_outputs_t *out, int hidden,
                                int koks, int hit, int32_t *dots) {
    const __m256i zero = _mm256_setzero_si256();
    __m256i s0 = zero, s1 = zero, s2 = zero, s3 = zero, s4 = zero, pairs;
    __m128i four, last;
    for (int i = 0; i < hidden; i += 16) {
        __m256i h = _mm256_max_epi16(net_changed(from, c, hit, i), zero);
        const int16_t *w = out->weights + i;
        s0 = _mm256_add_epi32(s0, _mm256_madd_epi16(h, NET_LOAD(w)));
        s1 = _mm256_add_epi32(s1, _mm256_madd_epi16(h, NET_LOAD(w + hidden)));
        if (koks) s2 = _mm256_add_epi32(s2, _mm256_madd_epi16(h, NET_LOAD(w + 2 * hidden)));
        s3 = _mm256_add_epi32(s3, _mm256_madd_epi16(h, NET_LOAD(w + 3 * hidden)));
        if (koks) s4 = _mm256_add_epi32(s4, _mm256_madd_epi16(h, NET_LOAD(w + 4 * hidden)));
    }
    pairs = _mm256_hadd_epi32(_mm256_hadd_epi32(s0, s1), _mm256_hadd_epi32(s2, s3));
    four = _mm_add_epi32(_mm256_castsi256_si128(pairs), _mm256_extracti128_si256(pairs, 1));
    four = _mm_add_epi32(four, _mm_loadu_si128((const __m128i *)out->bias));
    dots[0] = _mm_cvtsi128_si32(four);
    dots[NET_BATCH] = _mm_extract_epi32(four, 1);
    dots[3 * NET_BATCH] = _mm_extract_epi32(four, 3);
    if (koks) {
        dots[2 * NET_BATCH] = _mm_extract_epi32(four, 2);
        last = _mm_add_epi32(_mm256_castsi256_si128(s4), _mm256_extracti128_si256(s4, 1));
        last = _mm_hadd_epi32(_mm_hadd_epi32(last, last), last);
        dots[4 * NET_BATCH] = _mm_cvtsi128_si32(last) + out->bias[4];
    }
}

NET_AVX2 ND_INLINE void net_dots_for(const int16_t *from, const net_change_t *changes, int count,
                                     const net_outputs_t *out, int hidden, int koks, int32_t *dots) {
    for (int j = 0; j < count; j++)
        if (changes[j].hit_plus) net_dot(from, &changes[j], out, hidden, koks, 1, dots + j);
        else net_dot(from, &changes[j], out, hidden, koks, 0, dots + j);
}

NET_AVX2 static inline void net_dots_avx2(const int16_t *from, const net_change_t *changes, int count,
                                   const net_outputs_t *out, int koks, int32_t *dots) {
    if (out->hidden == 64 && !koks) net_dots_for(from, changes, count, out, 64, 0, dots);
    else if (out->hidden == 64) net_dots_for(from, changes, count, out, 64, 1, dots);
    else if (out->hidden == 128 && !koks) net_dots_for(from, changes, count, out, 128, 0, dots);
    else net_dots_for(from, changes, count, out, out->hidden, 1, dots);
}

ND_INLINE void net_sum(int16_t *to, const int16_t *from, const int16_t **columns, int count, int hidden) {
    if (net_uses_avx2) net_sum_avx2(to, from, columns, count, hidden);
    else net_sum_plain(to, from, columns, count, hidden);
}

ND_INLINE void net_move(int16_t *to, const int16_t *from, const net_change_t *change, int hidden) {
    if (net_uses_avx2) net_move_avx2(to, from, change, hidden);
    else net_move_plain(to, from, change, hidden);
}

ND_INLINE void net_dots(const int16_t *from, const net_change_t *changes, int count, const net_outputs_t *out,
                        int koks, int32_t *dots) {
    if (net_uses_avx2) net_dots_avx2(from, changes, count, out, koks, dots);
    else net_dots_plain(from, changes, count, out, koks, dots);
}

#else

#define net_sum net_sum_plain
#define net_move net_move_plain
#define net_dots net_dots_plain

#endif

/* ---- Chances and values ---- */

/* 1 / (1 + exp(-x)) of a dot product.
 *
 * exp(x) is 2**n * e**f with f within ln 2 / 2 of 0, by the Taylor series to the sixth power (relative error below
 * 2e-7). Plain float arithmetic in a fixed order, never fused: the same bytes everywhere, however many at once. */
ND_INLINE float net_chance(int32_t dot, const net_outputs_t *out) {
    int32_t x = dot < -out->limit ? -out->limit : dot, bits;
    float y, n, f, e, power;
    x = x > out->limit ? out->limit : x;
    y = (float)x * out->scale * -1.44269504f;
    n = (y + 12582912.0f) - 12582912.0f; /* the nearest whole number: 2**23 + 2**22 leaves no fraction */
    f = (y - n) * 0.693147181f;
    bits = ((int32_t)n + 127) << 23;
    memcpy(&power, &bits, sizeof power);
    e = 0.00833333333f + f * 0.00138888889f;
    e = 0.166666667f + f * (0.0416666667f + f * e);
    e = 1.0f + f * (1.0f + f * (0.5f + f * e));
    return 1.0f / (1.0f + e * power);
}

/* The points to lose of `count` afterstates: what each is worth to the one who has played it. `mars` and `koks` are
 * the points beyond a win and beyond mars. */
ND_INLINE void net_values_for(const int32_t *dots, int count, const net_outputs_t *out, int mars, int koks,
                              float *values) {
    for (int j = 0; j < count; j++) {
        const int32_t *d = dots + j;
        float equity = 2 * net_chance(d[0], out) - 1;
        equity += (float)mars * (net_chance(d[NET_BATCH], out) - net_chance(d[3 * NET_BATCH], out));
        if (koks) equity += (float)koks * (net_chance(d[2 * NET_BATCH], out) - net_chance(d[4 * NET_BATCH], out));
        values[j] = -equity;
    }
}

static inline void net_values_plain(const int32_t *dots, int count, const net_outputs_t *out, int mars, int koks,
                             float *values) {
    if (koks) net_values_for(dots, count, out, mars, koks, values);
    else net_values_for(dots, count, out, mars, 0, values);
}

#if defined(NET_HAS_AVX2)

NET_AVX2 static inline void net_values_avx2(const int32_t *dots, int count, const net_outputs_t *out, int mars, int koks,
                                     float *values) {
    if (koks) net_values_for(dots, count, out, mars, koks, values);
    else net_values_for(dots, count, out, mars, 0, values);
}

ND_INLINE void net_values(int32_t *dots, int count, const net_outputs_t *out, int mars, int koks, float *values) {
    for (; count & 7; count++) /* whole vectors: eight at once cost no more than one */
        for (int k = 0; k < NET_OUTPUTS; k++) dots[k * NET_BATCH + count] = 0;
    if (net_uses_avx2) net_values_avx2(dots, count, out, mars, koks, values);
    else net_values_plain(dots, count, out, mars, koks, values);
}

#else

#define net_values net_values_plain

#endif

#endif
