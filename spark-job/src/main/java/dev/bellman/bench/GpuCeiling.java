package dev.bellman.bench;

import dev.bellman.cuda.Device;

/** The throughput that the integer units of this GPU allow if nothing else took time. */
final class GpuCeiling {
    /** 32-bit additions, comparisons or three-input logic operations of a multiprocessor in a cycle. */
    private static final int OPERATIONS_PER_CYCLE = 64;

    private GpuCeiling() {}

    private static double operationsPerSecond() {
        Device device = Device.current();
        return (double) device.multiprocessors() * OPERATIONS_PER_CYCLE * device.clockHertz();
    }

    /**
     * Cells a second of the bit-parallel recurrences, 32 in a word: the word of an LCS takes an and, an addition and a
     * three-input operation, that of an edit distance nine such operations, two of them shifts; either one more for the match mask.
     */
    static double pairCells(String function) {
        int operations = function.startsWith("edit") ? 10 : 4;
        return operationsPerSecond() * 32 / operations;
    }

    /** Candidates a second of the matrix chain: a multiplication that adds, and an addition that compares, on two pipes. */
    static double relaxations() {
        return operationsPerSecond() * 2 / 3;
    }
}
