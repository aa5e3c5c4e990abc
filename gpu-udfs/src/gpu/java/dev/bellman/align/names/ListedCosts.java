package dev.bellman.align.names;

import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.Scratch;
import java.util.Map;

/**
 * Substitutions with individual costs in GPU memory, in the layout of {@code ListedCosts} in {@code weighted.cu}.
 *
 * @param slots the address of a hash table with the characters and their numbers
 * @param costs the address of the table of costs
 * @param shift the number of a hash's bits that are not part of a slot's index
 * @param count the number of characters plus 1
 */
record ListedCosts(long slots, long costs, int shift, int count) {
    private static final int FACTOR = 0x9e3779b1;

    static ListedCosts of(EditCosts costs, Scratch scratch) {
        int shift = shift(costs.count());
        return new ListedCosts(
                DeviceArrays.writeInts(scratch, slots(costs.numbers(), shift)).getAddress(),
                DeviceArrays.writeDoubles(scratch, costs.substitutions()).getAddress(),
                shift,
                costs.count());
    }

    /** Returns the shift with which at most a quarter of the slots contain characters. */
    static int shift(int count) {
        return Integer.numberOfLeadingZeros(count) - 2;
    }

    /** Returns the hash table: for each slot a character and its number; the number in empty slots is 0. */
    static int[] slots(Map<Integer, Integer> numbers, int shift) {
        int mask = -1 >>> shift;
        int[] slots = new int[2 * (mask + 1)];
        numbers.forEach((character, number) -> {
            int slot = character * FACTOR >>> shift;
            while (slots[2 * slot + 1] != 0) {
                slot = slot + 1 & mask;
            }
            slots[2 * slot] = character;
            slots[2 * slot + 1] = number;
        });
        return slots;
    }
}
