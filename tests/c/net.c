/* Prints what _net.h answers on random columns and weights, as bits, so that its builds can be compared. */
#include <stdio.h>

#include "_net.h"

enum { CASES = 400, HIDDEN_MOST = 144, COLUMNS = 8 };

static uint64_t state = 20240229;

static int number(int most) { /* -most..most, by a 64-bit linear congruence */
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (uint64_t)(2 * most + 1)) - most;
}

static void fill(int16_t *to, int count, int most) {
    for (int i = 0; i < count; i++) to[i] = (int16_t)number(most);
}

static void print_words(const void *words, int count) {
    for (int i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, (const char *)words + 4 * i, sizeof bits);
        printf("%08x ", bits);
    }
}

/* The dot products and values of `count` changes, every other one with a hit, and the chances of the first. */
static void weigh(const int16_t *from, int16_t column[COLUMNS][HIDDEN_MOST], net_outputs_t *out, int count, int koks) {
    net_change_t changes[NET_BATCH];
    int32_t dots[NET_OUTPUTS * NET_BATCH] = {0};
    float values[NET_BATCH], chance;
    for (int j = 0; j < count; j++) {
        const int16_t *hit = j % 2 ? column[j % 5] : NULL;
        changes[j] = (net_change_t){column[j % COLUMNS], column[(j + 3) % COLUMNS], hit, column[(j + 5) % COLUMNS]};
    }
    net_dots(from, changes, count, out, koks, dots);
    for (int k = 0; k < NET_OUTPUTS; k++)
        if (koks || (k != 2 && k != 4)) print_words(dots + k * NET_BATCH, count);
    chance = net_chance(dots[0], out);
    print_words(&chance, 1);
    net_values(dots, count, out, 1, koks, values);
    print_words(values, count);
}

int main(void) {
    static const int sizes[] = {16, 64, 80, 128, 144};
    int16_t from[HIDDEN_MOST], to[HIDDEN_MOST], column[COLUMNS][HIDDEN_MOST], weights[NET_OUTPUTS * HIDDEN_MOST];
    const int16_t *columns[COLUMNS];
    for (int k = 0; k < COLUMNS; k++) columns[k] = column[k];
    net_init(1);
    net_fill_tables();
    for (int n = 0; n < CASES; n++) {
        net_outputs_t out = {.weights = weights, .hidden = sizes[n % 5]};
        int shift = 18 + n % 7, count = 1 + n % NET_BATCH;
        out.scale = 1.0f / (1 << shift);
        out.limit = 40 << shift;
        fill(from, HIDDEN_MOST, 4000);
        for (int k = 0; k < COLUMNS; k++) fill(column[k], HIDDEN_MOST, 500);
        fill(weights, NET_OUTPUTS * HIDDEN_MOST, 300);
        for (int k = 0; k < NET_OUTPUTS; k++) out.bias[k] = number(100000);
        net_sum(to, from, columns, n % (COLUMNS + 1), out.hidden);
        for (int i = 0; i < out.hidden; i++) printf("%d ", to[i]);
        net_move(to, from, &(net_change_t){column[0], column[1], n % 2 ? column[2] : NULL, column[3]}, out.hidden);
        for (int i = 0; i < out.hidden; i++) printf("%d ", to[i]);
        weigh(from, column, &out, count, n % 3);
        printf("\n");
    }
    return 0;
}
