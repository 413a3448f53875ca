/* Prints what _net.h answers on random columns and weights, as bits, so that its builds can be compared. */
#include <stdio.h>

#include "_net.h"

enum { CASES = 2000, HIDDEN = 64 };

static uint64_t state = 20240229;

static int number(int most) { /* -most..most, by a 64-bit linear congruence */
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (uint64_t)(2 * most + 1)) - most;
}

int main(void) {
    int16_t from[HIDDEN], to[HIDDEN], column[4][HIDDEN], weights[NET_OUTPUTS * HIDDEN];
    const int16_t *columns[4] = {column[0], column[1], column[2], column[3]};
    int32_t bias[NET_LANES];
    float chances[NET_LANES];
    net_init(1);
    for (int n = 0; n < CASES; n++) {
        for (int i = 0; i < HIDDEN; i++) from[i] = (int16_t)number(4000);
        for (int i = 0; i < 4 * HIDDEN; i++) column[i / HIDDEN][i % HIDDEN] = (int16_t)number(500);
        for (int i = 0; i < NET_OUTPUTS * HIDDEN; i++) weights[i] = (int16_t)number(300);
        for (int i = 0; i < NET_LANES; i++) bias[i] = number(100000);
        net_move(to, from, columns, HIDDEN);
        net_last(from, columns, weights, bias, 1.0f / (1 << (18 + n % 8)), HIDDEN, chances);
        uint32_t bits[NET_LANES];
        memcpy(bits, chances, sizeof bits);
        for (int i = 0; i < HIDDEN; i++) printf("%d ", to[i]);
        for (int i = 0; i < NET_OUTPUTS; i++) printf("%08x ", bits[i]);
        printf("\n");
    }
    return 0;
}
