// Computes the edit distance of long pairs that differ by few edits.
#include "align/distance/edit_wave.cuh"
#include "common/host.cuh"

FOR_HOST(LETTERS_OF_AN_EDIT);
FOR_HOST(WAVE_LETTERS);
FOR_HOST(WAVE_SMALL);
FOR_HOST(WAVE_SMALL_BLOCK);
FOR_HOST(WAVE_MEDIUM);
FOR_HOST(WAVE_MEDIUM_BLOCK);
FOR_HOST(WAVE_LARGE_BLOCK);
FOR_HOST(WAVE_MARGIN);
STRUCT_FOR_HOST(EditWaves);
MEMBER_FOR_HOST(EditWaves, pairs);
MEMBER_FOR_HOST(EditWaves, least);
MEMBER_FOR_HOST(EditWaves, most);
MEMBER_FOR_HOST(EditWaves, cap);
MEMBER_FOR_HOST(EditWaves, limits);
MEMBER_FOR_HOST(EditWaves, results);
MEMBER_FOR_HOST(EditWaves, solved);
MEMBER_FOR_HOST(EditWaves, count_solved);

extern "C" __global__ void __launch_bounds__(WAVE_LARGE_BLOCK) edit_wave_bytes(EditWaves waves) {
    edit_waves<WaveBytes>(waves);
}

extern "C" __global__ void __launch_bounds__(WAVE_LARGE_BLOCK) edit_wave_characters(EditWaves waves) {
    edit_waves<WaveCharacters>(waves);
}

// Copies the pairs with the given indices, or the first pairs if `members` is null.
extern "C" __global__ void edit_wave_gather(
        const Pair* pairs, const int32* members, int32 count, Pair* to) {
    int64 index = thread_index();
    if (index < count) {
        to[index] = pairs[members == nullptr ? index : members[index]];
    }
}
