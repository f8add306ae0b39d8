/* The draws of kernels/streams.py in C: prints the sum of the first N draws of the stream 1. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

int main(int argc, char **argv) {
    uint64_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 1, total = 0;
    for (uint64_t i = 0; i < n; i++)
        total += mix(1 + (i + 1) * UINT64_C(0x9E3779B97F4A7C15));
    printf("%" PRIu64 "\n", total);
    return 0;
}
