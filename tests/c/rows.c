/* Prints what every function of _simd.h answers on many rows, so that its builds can be compared line by line.
 *
 * The rows are random numbers from a fixed seed, most of them no positions: the functions promise their answers for
 * any row of small numbers. Exits with 1 where something was written beyond its place.
 */
#include <stdio.h>
#include <stdlib.h>

#include "_simd.h"

enum { ROWS = 3000, W = 28, MOST = 32, GUARD = 99 };

static uint64_t state = 20240229;

static uint64_t next(void) { /* splitmix64 */
    uint64_t z = (state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static void random_row(int8_t *row) {
    for (int i = 0; i < W; i++) row[i] = (int8_t)(next() % 3 ? 0 : (int)(next() % 31) - 15);
}

static void show(const char *name, const int8_t *row, int numbers) {
    printf("%s", name);
    for (int i = 0; i < numbers; i++) printf(" %d", row[i]);
    printf("\n");
}

static void expect_guard(const int8_t *bytes, int from, int to) {
    for (int i = from; i < to; i++)
        if (bytes[i] != GUARD) {
            fprintf(stderr, "byte %d was written over\n", i);
            exit(1);
        }
}

static void bits(void) {
    uint32_t x = (uint32_t)next() | 1u << (next() % 32);
    uint64_t low, a = next(), b = next(), high = nd_mulhi(a, b, &low);
    printf("bits %d %d %d %d", nd_lowest(x), nd_lowest((uint64_t)x << 20), nd_highest(x), nd_count(x));
    for (int n = 0; n < nd_count(x); n++) printf(" %d", nd_select(x, n));
    printf("\nproduct %llu %llu\n", (unsigned long long)high, (unsigned long long)low);
}

static void masks(const int8_t *row) {
    nd_points points = nd_points_at(row);
    int own, theirs;
    nd_totals(row, &own, &theirs);
    printf("totals %d %d checkers %x masks", own, theirs, nd_checkers(row));
    for (int n = 1; n <= 15; n++) printf(" %x %x", nd_own(points, n), nd_theirs(points, n));
    printf("\n");
}

static void rows(const int8_t *a, const int8_t *b) {
    int8_t bytes[W + 20];
    memset(bytes, GUARD, sizeof bytes);
    nd_store(bytes, nd_add(nd_load(a), nd_load(b)));
    show("sum", bytes, W);
    for (int short_ = 0; short_ < 2; short_++) {
        nd_store(bytes, nd_flip(nd_load(a), short_));
        show(short_ ? "short flip" : "long flip", bytes, W);
    }
    expect_guard(bytes, W, sizeof bytes);
}

static void emitted(const int8_t *base, const nd_row *table) {
    int8_t bytes[(MOST + ND_SLACK + 1) * W];
    uint32_t last = (uint32_t)(next() & next() & 0x1FFFFFF), hits = next() % 2 ? 0 : (uint32_t)next();
    if (!last) last = 2;
    memset(bytes, GUARD, sizeof bytes);
    int size = (int)(nd_emit_hits(bytes, nd_load(base), table, last, hits) - bytes);
    expect_guard(bytes, size + ND_SLACK * W, sizeof bytes);
    show("emit with hits", bytes, size);
    memset(bytes, GUARD, sizeof bytes);
    size = (int)(nd_emit(bytes, nd_load(base), table, last) - bytes);
    expect_guard(bytes, size + ND_SLACK * W, sizeof bytes);
    show("emit", bytes, size);
    memset(bytes, GUARD, sizeof bytes);
    size = (int)(nd_emit_exactly(bytes, nd_load(base), table, last, hits) - bytes);
    expect_guard(bytes, size, sizeof bytes);
    show("emit exactly", bytes, size);
}

int main(void) {
    static nd_row table[2 * ND_HIT];
    int8_t a[W], b[W];
    fprintf(stderr, "%s\n", nd_instructions());
    for (int i = 0; i < 2 * ND_HIT; i++) {
        random_row(a);
        table[i] = nd_load(a);
    }
    for (int i = 0; i < ROWS; i++) {
        random_row(a);
        random_row(b);
        bits();
        masks(a);
        rows(a, b);
        emitted(a, table);
    }
    return 0;
}
