// The strings of a join, in GPU memory.
#pragma once

#include "common/columns.cuh"
#include "common/host.cuh"

// Strings are ASCII and have fewer characters than this.
constexpr int32 LONGEST = 64;
FOR_HOST(LONGEST);

// A string, in the form that the host writes.
struct JoinString {
    int64 start;      // the offset of the string's bytes
    uint64 signature;
    uint64 seed;      // the seed of the string's group
    int32 length;
    int32 sides;      // bits: 1 if the left side has the string, 2 if the right side has it
};
STRUCT_FOR_HOST(JoinString);
MEMBER_FOR_HOST(JoinString, start);
MEMBER_FOR_HOST(JoinString, signature);
MEMBER_FOR_HOST(JoinString, seed);
MEMBER_FOR_HOST(JoinString, length);
MEMBER_FOR_HOST(JoinString, sides);

// All strings, and the tables and limits for symmetric deletion.
struct JoinStrings {
    const JoinString* strings;
    const uint8* bytes;
    const uint64* characters;  // the coefficient of each character in the hash
    const uint64* powers;      // the powers of the hash function's base
    uint64 lengths;            // bit l is set if strings of l characters exist
    int32 count;
    int32 edits;
};
STRUCT_FOR_HOST(JoinStrings);
MEMBER_FOR_HOST(JoinStrings, strings);
MEMBER_FOR_HOST(JoinStrings, bytes);
MEMBER_FOR_HOST(JoinStrings, characters);
MEMBER_FOR_HOST(JoinStrings, powers);
MEMBER_FOR_HOST(JoinStrings, lengths);
MEMBER_FOR_HOST(JoinStrings, count);
MEMBER_FOR_HOST(JoinStrings, edits);

// The function dev.bellman.join.Hash.mix.
__device__ __forceinline__ uint64 mix(uint64 value) {
    value ^= value >> 33;
    value *= 0xff51afd7ed558ccdull;
    value ^= value >> 33;
    value *= 0xc4ceb9fe1a85ec53ull;
    return value ^ value >> 33;
}
