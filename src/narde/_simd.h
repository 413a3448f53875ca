/* One row of 28 int8 numbers in vector registers, and the few operations that move generation needs.
 *
 * Rows lie side by side, so nd_store writes exactly 28 bytes, as two overlapping halves of 16. The builds answer alike:
 * AVX2, SSE2 (every x86-64), NEON (every aarch64) and, with NARDE_PLAIN, no vector instructions at all.
 *
 * Point masks have bit 25 - p for the mover's point p, so that lower bits are points farther from home and a move
 * by a die shifts left; bit 0 is left free for the bar.
 */
#ifndef NARDE_SIMD_H
#define NARDE_SIMD_H

#include "_bits.h"

/* ---------------------------------------------------------------- rows ---------------------------------------- */

#if defined(ND_AVX2)

typedef struct { __m256i v; } nd_row;    /* the 28 numbers and four zeros */
typedef struct { __m256i v; } nd_points; /* points 24..1 in this order and eight zeros */

#define ND_LO(r) _mm256_castsi256_si128((r).v)      /* bytes 0..15 */
#define ND_HI(r) _mm256_extracti128_si256((r).v, 1) /* bytes 16..27 and zeros */

ND_INLINE __m256i nd_pair(__m128i lo, __m128i hi) {
    return _mm256_inserti128_si256(_mm256_castsi128_si256(lo), hi, 1);
}

ND_INLINE nd_row nd_load(const int8_t *p) {
    __m128i lo = _mm_loadu_si128((const __m128i *)p), hi = _mm_loadu_si128((const __m128i *)(p + 12));
    nd_row r;
    r.v = nd_pair(lo, _mm_srli_si128(hi, 4));
    return r;
}

ND_INLINE void nd_store(int8_t *p, nd_row r) {
    _mm_storeu_si128((__m128i *)p, ND_LO(r));
    _mm_storeu_si128((__m128i *)(p + 12), _mm_alignr_epi8(ND_HI(r), ND_LO(r), 12));
}

ND_INLINE void nd_store_loosely(int8_t *p, nd_row r) { _mm256_storeu_si256((__m256i *)p, r.v); }

ND_INLINE nd_row nd_add(nd_row a, nd_row b) { a.v = _mm256_add_epi8(a.v, b.v); return a; }

#elif defined(ND_SSE2)

typedef struct { __m128i lo, hi; } nd_row; /* bytes 0..15 and bytes 12..27 */
typedef struct { __m128i far_, near_; } nd_points;

#define ND_LO(r) (r).lo
#define ND_HI(r) _mm_srli_si128((r).hi, 4)

ND_INLINE nd_row nd_load(const int8_t *p) {
    nd_row r;
    r.lo = _mm_loadu_si128((const __m128i *)p);
    r.hi = _mm_loadu_si128((const __m128i *)(p + 12));
    return r;
}

ND_INLINE void nd_store(int8_t *p, nd_row r) {
    _mm_storeu_si128((__m128i *)p, r.lo);
    _mm_storeu_si128((__m128i *)(p + 12), r.hi);
}

ND_INLINE nd_row nd_add(nd_row a, nd_row b) {
    a.lo = _mm_add_epi8(a.lo, b.lo);
    a.hi = _mm_add_epi8(a.hi, b.hi);
    return a;
}

ND_INLINE __m128i nd_reverse(__m128i x) { /* SSE2 has no byte shuffle: swap bytes, then words, then halves */
    x = _mm_or_si128(_mm_slli_epi16(x, 8), _mm_srli_epi16(x, 8));
    x = _mm_shufflelo_epi16(x, 0x1B);
    x = _mm_shufflehi_epi16(x, 0x1B);
    return _mm_shuffle_epi32(x, 0x4E);
}

#elif defined(ND_NEON)

typedef struct { int8x16_t lo, hi; } nd_row;
typedef struct { int8x16_t far_, near_; } nd_points;

ND_INLINE nd_row nd_load(const int8_t *p) {
    nd_row r;
    r.lo = vld1q_s8(p);
    r.hi = vld1q_s8(p + 12);
    return r;
}

ND_INLINE void nd_store(int8_t *p, nd_row r) {
    vst1q_s8(p, r.lo);
    vst1q_s8(p + 12, r.hi);
}

ND_INLINE nd_row nd_add(nd_row a, nd_row b) {
    a.lo = vaddq_s8(a.lo, b.lo);
    a.hi = vaddq_s8(a.hi, b.hi);
    return a;
}

ND_INLINE int8x16_t nd_reverse(int8x16_t x) {
    x = vrev64q_s8(x);
    return vextq_s8(x, x, 8);
}

ND_INLINE uint32_t nd_mask16(uint8x16_t hits) { /* bit i set where byte i is 0xFF */
    static const uint8_t weights[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t bits = vandq_u8(hits, vld1q_u8(weights));
    return (uint32_t)vaddv_u8(vget_low_u8(bits)) | (uint32_t)vaddv_u8(vget_high_u8(bits)) << 8;
}

#else

typedef struct { int8_t v[28]; } nd_row;
typedef struct { int8_t v[24]; } nd_points; /* points 24..1 in this order */

ND_INLINE nd_row nd_load(const int8_t *p) {
    nd_row r;
    memcpy(r.v, p, 28);
    return r;
}

ND_INLINE void nd_store(int8_t *p, nd_row r) { memcpy(p, r.v, 28); }

ND_INLINE nd_row nd_add(nd_row a, nd_row b) {
    for (int i = 0; i < 28; i++) a.v[i] = (int8_t)(a.v[i] + b.v[i]);
    return a;
}

#endif

/* ---------------------------------------------------------------- points as masks, the row flipped ------------ */

#if !defined(ND_AVX2)
ND_INLINE void nd_store_loosely(int8_t *p, nd_row r) { nd_store(p, r); }
#endif

#if defined(ND_AVX2)

ND_INLINE nd_points nd_turned(__m128i farther, __m128i nearer) { /* bytes 8..23 and bytes 0..7 of a row */
    const __m256i turned = _mm256_setr_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0,
                                            7, 6, 5, 4, 3, 2, 1, 0, -1, -1, -1, -1, -1, -1, -1, -1);
    nd_points q;
    q.v = _mm256_shuffle_epi8(nd_pair(farther, nearer), turned);
    return q;
}

ND_INLINE nd_points nd_points_of(nd_row r) { return nd_turned(_mm_alignr_epi8(ND_HI(r), ND_LO(r), 8), ND_LO(r)); }

ND_INLINE nd_points nd_points_at(const int8_t *p) { /* the same of a row in memory */
    return nd_turned(_mm_loadu_si128((const __m128i *)(p + 8)), _mm_loadu_si128((const __m128i *)p));
}

ND_INLINE uint32_t nd_own(nd_points q, int n) { /* points with at least n of the mover's checkers */
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpgt_epi8(q.v, _mm256_set1_epi8((char)(n - 1)))) << 1;
}

ND_INLINE uint32_t nd_theirs(nd_points q, int n) { /* points with at least n of the opponent's checkers */
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpgt_epi8(_mm256_set1_epi8((char)(1 - n)), q.v)) << 1;
}

ND_INLINE nd_row nd_flip(nd_row r, int short_) {
    const __m128i tail = _mm_setr_epi8(-1, -1, -1, -1, -1, -1, -1, -1, 9, 8, 11, 10, -1, -1, -1, -1);
    const __m128i later = _mm_setr_epi8(4, 5, 6, 7, 8, 9, 10, 11, -1, -1, -1, -1, -1, -1, -1, -1);
    __m128i swapped = _mm_shuffle_epi8(ND_HI(r), tail), first, second;
    __m256i flipped;
    if (short_) {
        flipped = _mm256_or_si256(nd_points_of(r).v, nd_pair(_mm_setzero_si128(), swapped));
    } else {
        second = _mm_srli_si128(_mm_slli_si128(_mm_alignr_epi8(ND_HI(r), ND_LO(r), 12), 4), 4); /* bytes 12..23 */
        first = _mm_shuffle_epi8(ND_LO(r), later);
        flipped = nd_pair(_mm_or_si128(second, _mm_slli_si128(ND_LO(r), 12)), _mm_or_si128(first, swapped));
    }
    r.v = _mm256_sub_epi8(_mm256_setzero_si256(), flipped);
    return r;
}

#elif defined(ND_SSE2)

ND_INLINE nd_points nd_points_of(nd_row r) {
    nd_points q; /* bytes 8..23 turned round, and bytes 0..7 turned round (the rest is zero) */
    __m128i middle = _mm_unpacklo_epi64(_mm_srli_si128(r.lo, 8), _mm_srli_si128(r.hi, 4));
    q.far_ = nd_reverse(middle);
    q.near_ = _mm_srli_si128(nd_reverse(r.lo), 8);
    return q;
}

ND_INLINE uint32_t nd_own(nd_points q, int n) { /* points with at least n of the mover's checkers */
    __m128i k = _mm_set1_epi8((char)(n - 1));
    uint32_t far_ = (uint32_t)_mm_movemask_epi8(_mm_cmpgt_epi8(q.far_, k));
    return (far_ | (uint32_t)_mm_movemask_epi8(_mm_cmpgt_epi8(q.near_, k)) << 16) << 1;
}

ND_INLINE uint32_t nd_theirs(nd_points q, int n) { /* points with at least n of the opponent's checkers */
    __m128i k = _mm_set1_epi8((char)(1 - n));
    uint32_t far_ = (uint32_t)_mm_movemask_epi8(_mm_cmplt_epi8(q.far_, k));
    return (far_ | (uint32_t)_mm_movemask_epi8(_mm_cmplt_epi8(q.near_, k)) << 16) << 1;
}

ND_INLINE __m128i nd_swap_tail(__m128i hi) { /* the two bars change places, and the two off counts; last 4 bytes */
    __m128i swapped = _mm_or_si128(_mm_slli_epi16(hi, 8), _mm_srli_epi16(hi, 8));
    return _mm_slli_si128(_mm_srli_si128(swapped, 12), 12);
}

ND_INLINE nd_row nd_flip(nd_row r, int short_) {
    __m128i zero = _mm_setzero_si128(), lo, hi, tail = nd_swap_tail(r.hi);
    if (short_) {
        nd_points q = nd_points_of(r);
        lo = q.far_;
        hi = _mm_or_si128(_mm_srli_si128(q.far_, 12), _mm_slli_si128(q.near_, 4));
    } else {
        __m128i first = _mm_srli_si128(_mm_slli_si128(r.lo, 4), 4); /* bytes 0..11, twelve of them */
        __m128i second = _mm_srli_si128(_mm_slli_si128(r.hi, 4), 4); /* bytes 12..23 */
        lo = _mm_or_si128(second, _mm_slli_si128(r.lo, 12));
        hi = first;
    }
    r.lo = _mm_sub_epi8(zero, lo);
    r.hi = _mm_sub_epi8(zero, _mm_or_si128(hi, tail));
    return r;
}

#elif defined(ND_NEON)

ND_INLINE nd_points nd_points_of(nd_row r) {
    nd_points q;
    int8x16_t zero = vdupq_n_s8(0), upper = vextq_s8(r.hi, zero, 4);
    q.far_ = nd_reverse(vcombine_s8(vget_high_s8(r.lo), vget_low_s8(upper)));
    q.near_ = vextq_s8(nd_reverse(r.lo), zero, 8);
    return q;
}

ND_INLINE uint32_t nd_own(nd_points q, int n) {
    int8x16_t k = vdupq_n_s8((int8_t)n);
    return (nd_mask16(vcgeq_s8(q.far_, k)) | nd_mask16(vcgeq_s8(q.near_, k)) << 16) << 1;
}

ND_INLINE uint32_t nd_theirs(nd_points q, int n) {
    int8x16_t k = vdupq_n_s8((int8_t)-n);
    return (nd_mask16(vcleq_s8(q.far_, k)) | nd_mask16(vcleq_s8(q.near_, k)) << 16) << 1;
}

ND_INLINE nd_row nd_flip(nd_row r, int short_) {
    int8_t in[28], out[28];
    nd_store(in, r);
    for (int i = 0; i < 24; i++) out[short_ ? 23 - i : (i + 12) % 24] = (int8_t)-in[i];
    for (int i = 24; i < 28; i++) out[i ^ 1] = (int8_t)-in[i];
    return nd_load(out);
}

#else

ND_INLINE nd_points nd_points_of(nd_row r) {
    nd_points q;
    for (int i = 0; i < 24; i++) q.v[i] = r.v[23 - i];
    return q;
}

ND_INLINE uint32_t nd_own(nd_points q, int n) {
    uint32_t mask = 0;
    for (int i = 0; i < 24; i++) mask |= (uint32_t)(q.v[i] >= n) << (i + 1);
    return mask;
}

ND_INLINE uint32_t nd_theirs(nd_points q, int n) {
    uint32_t mask = 0;
    for (int i = 0; i < 24; i++) mask |= (uint32_t)(q.v[i] <= -n) << (i + 1);
    return mask;
}

ND_INLINE nd_row nd_flip(nd_row r, int short_) {
    nd_row out;
    for (int i = 0; i < 24; i++) out.v[short_ ? 23 - i : (i + 12) % 24] = (int8_t)-r.v[i];
    for (int i = 24; i < 28; i++) out.v[i ^ 1] = (int8_t)-r.v[i];
    return out;
}

#endif

#if !defined(ND_AVX2)
ND_INLINE nd_points nd_points_at(const int8_t *p) { return nd_points_of(nd_load(p)); }
#endif

/* Checkers of the mover's and of the opponent's, wherever they stand. */
ND_INLINE void nd_totals(const int8_t *row, int *own, int *theirs) {
#if defined(ND_AVX2)
    __m256i zero = _mm256_setzero_si256(), r = nd_load(row).v;
    __m256i plus = _mm256_sad_epu8(_mm256_max_epi8(r, zero), zero), all = _mm256_sad_epu8(_mm256_abs_epi8(r), zero);
    __m256i both = _mm256_or_si256(plus, _mm256_slli_epi64(all, 32));
    __m128i four = _mm_add_epi64(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1));
    uint64_t sum = (uint64_t)_mm_cvtsi128_si64(_mm_add_epi64(four, _mm_unpackhi_epi64(four, four)));
    *own = (int)(uint32_t)sum;
    *theirs = (int)(sum >> 32) - *own;
#elif defined(ND_SSE2)
    nd_row r = nd_load(row);
    __m128i zero = _mm_setzero_si128(), lo = ND_LO(r), hi = ND_HI(r), plus, minus;
    __m128i negative = _mm_sub_epi8(zero, lo), negative_hi = _mm_sub_epi8(zero, hi);
    plus = _mm_add_epi64(_mm_sad_epu8(_mm_and_si128(lo, _mm_cmpgt_epi8(lo, zero)), zero),
                         _mm_sad_epu8(_mm_and_si128(hi, _mm_cmpgt_epi8(hi, zero)), zero));
    minus = _mm_add_epi64(_mm_sad_epu8(_mm_and_si128(negative, _mm_cmplt_epi8(lo, zero)), zero),
                          _mm_sad_epu8(_mm_and_si128(negative_hi, _mm_cmplt_epi8(hi, zero)), zero));
    *own = _mm_cvtsi128_si32(_mm_add_epi64(plus, _mm_srli_si128(plus, 8)));
    *theirs = _mm_cvtsi128_si32(_mm_add_epi64(minus, _mm_srli_si128(minus, 8)));
#else
    *own = *theirs = 0;
    for (int i = 0; i < 28; i++) {
        *own += row[i] > 0 ? row[i] : 0;
        *theirs -= row[i] < 0 ? row[i] : 0;
    }
#endif
}

/* The checkers of the mover's plus 65536 times those of both, wherever they stand. */
ND_INLINE uint32_t nd_checkers(const int8_t *row) {
#if defined(ND_AVX2)
    __m256i zero = _mm256_setzero_si256(), r = nd_load(row).v;
    __m256i own = _mm256_sad_epu8(_mm256_max_epi8(r, zero), zero), all = _mm256_sad_epu8(_mm256_abs_epi8(r), zero);
    __m256i both = _mm256_or_si256(own, _mm256_slli_epi64(all, 16));
    __m128i four = _mm_add_epi64(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1));
    return (uint32_t)_mm_cvtsi128_si32(_mm_add_epi64(four, _mm_unpackhi_epi64(four, four)));
#else
    int own, theirs;
    nd_totals(row, &own, &theirs);
    return (uint32_t)own + ((uint32_t)(own + theirs) << 16);
#endif
}

/* ---------------------------------------------------------------- writing a set of rows ----------------------- */

#define ND_SLACK 4      /* rows that nd_emit may write beyond its last one; the next rows overwrite them */
#define ND_HIT 64       /* a table holds the change by a move from source s at s, and with a hit at ND_HIT + s */

/* Write base + table[s] for each bit s of `last`, lowest first. Writing four rows at a time without asking how many
 * are left saves most of the mispredicted loop ends; those too many come from spare entries of the table. */
ND_INLINE int8_t *nd_emit(int8_t *out, nd_row base, const nd_row *table, uint32_t last) {
    uint64_t left = (uint64_t)last | (uint64_t)7 << 60;
    int8_t *end = out + 28 * nd_count(last);
    do {
        for (int k = 0; k < 4; k++, left &= left - 1)
            nd_store_loosely(out + 28 * k, nd_add(base, table[nd_lowest(left)]));
        out += 28 * 4;
    } while (out < end);
    return end;
}

/* The same; a bit also in `hits` takes the change with a hit. */
ND_INLINE int8_t *nd_emit_hits(int8_t *out, nd_row base, const nd_row *table, uint32_t last, uint32_t hits) {
    uint64_t left = (uint64_t)last | (uint64_t)7 << 60, hit = hits;
    int8_t *end = out + 28 * nd_count(last);
    if (!(hits & last)) return nd_emit(out, base, table, last);
    do {
        for (int k = 0; k < 4; k++, left &= left - 1) {
            int s = nd_lowest(left);
            nd_store_loosely(out + 28 * k, nd_add(base, table[s + (int)((hit >> s) & 1) * ND_HIT]));
        }
        out += 28 * 4;
    } while (out < end);
    return end;
}

/* The same, writing nothing beyond the last row. */
ND_INLINE int8_t *nd_emit_exactly(int8_t *out, nd_row base, const nd_row *table, uint32_t last, uint32_t hits) {
    for (; last; last &= last - 1, out += 28) {
        int s = nd_lowest(last);
        nd_store(out, nd_add(base, table[s + (int)((hits >> s) & 1) * ND_HIT]));
    }
    return out;
}

#endif
