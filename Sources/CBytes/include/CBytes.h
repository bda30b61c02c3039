// Comparing 64 bytes at once: Swift has no way from its vectors to one bit for each byte.

#ifndef PODSWARM_CBYTES_H
#define PODSWARM_CBYTES_H

#include <stdint.h>
#include <string.h>

typedef uint8_t podswarm_bytes __attribute__((ext_vector_type(64)));
typedef _Bool podswarm_flags __attribute__((ext_vector_type(64)));

// One bit for each of 64 bytes of JSON, the first byte's the lowest.
typedef struct {
    uint64_t quotes;
    uint64_t backslashes;
    uint64_t opening;
    uint64_t closing;
    uint64_t commas;
} podswarm_json_marks;

static inline uint64_t podswarm_equal(const podswarm_bytes *bytes, uint8_t mask, uint8_t value) {
    podswarm_flags flags = __builtin_convertvector((*bytes | mask) == value, podswarm_flags);
    uint64_t bits;
    memcpy(&bits, &flags, sizeof bits);
    return bits;
}

// Reads 64 bytes wherever they lie.
static inline podswarm_json_marks podswarm_json_marks_of(const void *text) {
    podswarm_bytes bytes;
    memcpy(&bytes, text, sizeof bytes);
    // Square brackets differ from curly ones in one bit, and nothing else becomes one by it.
    podswarm_json_marks marks = {
        podswarm_equal(&bytes, 0, '"'),    podswarm_equal(&bytes, 0, '\\'), podswarm_equal(&bytes, 0x20, '{'),
        podswarm_equal(&bytes, 0x20, '}'), podswarm_equal(&bytes, 0, ','),
    };
    return marks;
}

#endif
