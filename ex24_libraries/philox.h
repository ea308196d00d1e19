/* Philox 4x32-10 (Salmon and others, SC 2011): a function from a counter of 128 bits and a key of
 * 64 to four random words. There is no state: any of the numbers can be computed without those
 * before it. The host's version. */
#ifndef PHILOX_H
#define PHILOX_H

#include <stdint.h>

/* The constants, and how many subsequences cuRAND's generator deals four numbers each from in
 * turn. */
#define PHILOX_M0 0xD2511F53u
#define PHILOX_M1 0xCD9E8D57u
#define PHILOX_W0 0x9E3779B9u
#define PHILOX_W1 0xBB67AE85u
enum { PHILOX_ROUNDS = 10, SUBSEQUENCES = 65536 };

/* Numbers 4 quad to 4 quad + 3 of the generator with this seed. */
static inline void philoxOnHost(uint64_t seed, uint64_t quad, uint32_t word[4])
{
    const uint64_t counter = quad / SUBSEQUENCES, subsequence = quad % SUBSEQUENCES;
    uint32_t key0 = (uint32_t)seed, key1 = (uint32_t)(seed >> 32);

    word[0] = (uint32_t)counter;
    word[1] = (uint32_t)(counter >> 32);
    word[2] = (uint32_t)subsequence;
    word[3] = (uint32_t)(subsequence >> 32);
    for (int round = 0; round < PHILOX_ROUNDS; round++) {
        const uint64_t a = (uint64_t)PHILOX_M0 * word[0], b = (uint64_t)PHILOX_M1 * word[2];

        word[0] = (uint32_t)(b >> 32) ^ word[1] ^ key0;
        word[1] = (uint32_t)b;
        word[2] = (uint32_t)(a >> 32) ^ word[3] ^ key1;
        word[3] = (uint32_t)a;
        key0 += PHILOX_W0;
        key1 += PHILOX_W1;
    }
}

#endif
