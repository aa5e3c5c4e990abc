package dev.bellman.recurrence;

import dev.bellman.columns.Cancellation;
import dev.bellman.recurrence.instance.Instance;
import dev.bellman.recurrence.instance.Operator;
import java.util.Arrays;

/**
 * Computes the table for one of the operators {@code min}, {@code max}, {@code and} and {@code or}. With these
 * operators, the order of the candidates does not matter, and a candidate that does not change the accumulated value
 * can be skipped. For each block of 64 elements, and for each group of 64 blocks, the combination of all elements is
 * stored. An element visits its groups from the nearest to the farthest, skips groups that cannot change its value, and
 * uses the combination of a whole group if offsets cover the group completely. Therefore, a dense random set of offsets
 * costs little more than one check per group, and a run of consecutive offsets costs less.
 */
final class LatticeSearch {
    private static final int BLOCK = 64;
    private static final int GROUP = BLOCK * BLOCK;

    private final long[] table;
    private final int[] offsets;
    private final Operator.Kind kind;
    private final long[] blocks;
    private final long[] groups;

    /** A bit set of the distances that are offsets, with a word of zeros before and after it. */
    private final long[] distances;

    /** The number of offsets less than {@code d}, for each distance {@code d}. */
    private final int[] ranks;

    private final Cancellation cancellation = new Cancellation();

    LatticeSearch(Instance instance) {
        table = instance.table();
        offsets = instance.offsets();
        kind = instance.operator().kind();
        blocks = new long[table.length / BLOCK + 1];
        groups = new long[table.length / GROUP + 1];
        Arrays.fill(blocks, neutral());
        Arrays.fill(groups, neutral());
        distances = new long[offsets[0] / BLOCK + 4];
        ranks = new int[offsets[0] + 2];
        for (int offset : offsets) {
            distances[(offset >> 6) + 1] |= 1L << offset;
            ranks[offset + 1] = 1;
        }
        for (int d = 1; d < ranks.length; d++) {
            ranks[d] += ranks[d - 1];
        }
        for (int i = 0; i < instance.start(); i++) {
            know(i);
        }
        for (int i = instance.start(); i < table.length; i++) {
            table[i] = element(i);
            know(i);
        }
    }

    static boolean serves(Instance instance) {
        return instance.weights() == null
                && switch (instance.operator().kind()) {
                    case MIN, MAX, BIT_AND, BIT_OR, BOOL_AND, BOOL_OR -> true;
                    default -> false;
                };
    }

    long[] table() {
        return table;
    }

    private long neutral() {
        return switch (kind) {
            case MIN, BOOL_AND -> Long.MAX_VALUE;
            case MAX, BOOL_OR -> Long.MIN_VALUE;
            case BIT_AND -> -1;
            default -> 0;
        };
    }

    private long combine(long left, long right) {
        return switch (kind) {
            case MIN, BOOL_AND -> Math.min(left, right);
            case MAX, BOOL_OR -> Math.max(left, right);
            case BIT_AND -> left & right;
            default -> left | right;
        };
    }

    private void know(int i) {
        blocks[i / BLOCK] = combine(blocks[i / BLOCK], table[i]);
        groups[i / GROUP] = combine(groups[i / GROUP], table[i]);
    }

    private long element(int i) {
        int oldest = i - offsets[0];
        int newest = i - offsets[offsets.length - 1];
        long value = neutral();
        cancellation.count(offsets[0] / GROUP + 1);
        for (int group = newest / GROUP; group >= oldest / GROUP; group--) {
            long together = combine(value, groups[group]);
            if (together == value) {
                continue;
            }
            int from = group * GROUP;
            int count = offsetsBetween(i - from - GROUP + 1, i - from);
            if (count == GROUP) {
                value = together;
            } else if (count > 0) {
                value = group(value, i, Math.max(from, oldest) / BLOCK, Math.min(from + GROUP - 1, newest) / BLOCK);
            }
        }
        return value;
    }

    private long group(long known, int i, int first, int last) {
        long value = known;
        cancellation.count((long) BLOCK * (last - first + 1));
        for (int block = last; block >= first; block--) {
            long together = combine(value, blocks[block]);
            if (together == value) {
                continue;
            }
            // bit b means that the element b positions before the block's last element is read
            int distance = i - block * BLOCK - BLOCK + 1;
            int word = (distance >> 6) + 1;
            long read = distances[word] >>> distance;
            if ((distance & 63) != 0) {
                read |= distances[word + 1] << -distance;
            }
            if (read == -1) {
                value = together;
                continue;
            }
            int end = block * BLOCK + BLOCK - 1;
            for (; read != 0; read &= read - 1) {
                value = combine(value, table[end - Long.numberOfTrailingZeros(read)]);
            }
        }
        return value;
    }

    /** Returns the number of offsets from {@code from} to {@code to}, both inclusive. */
    private int offsetsBetween(int from, int to) {
        int most = ranks.length - 1;
        return ranks[Math.min(to + 1, most)] - ranks[Math.max(0, Math.min(from, most))];
    }
}
