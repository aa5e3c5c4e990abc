package dev.bellman.bench;

import dev.bellman.cuda.Device;

/** The throughput limit set by this GPU's integer units, if nothing else took time. */
final class GpuCeiling {
    /** 32-bit additions, comparisons or three-input logic operations per multiprocessor and cycle. */
    private static final int OPERATIONS_PER_CYCLE = 64;

    private GpuCeiling() {}

    private static double operationsPerSecond() {
        Device device = Device.current();
        return (double) device.multiprocessors() * OPERATIONS_PER_CYCLE * device.clockHertz();
    }

    /**
     * Cells per second of the bit-parallel recurrences, 32 to a word: a word of an LCS takes an AND, an addition and a
     * three-input operation; a word of an edit distance takes nine such operations, two of them shifts; both take one more for the match mask.
     */
    static double pairCells(String function) {
        int operations = function.startsWith("edit") ? 10 : 4;
        return operationsPerSecond() * 32 / operations;
    }

    /** Candidates per second of the matrix chain: a multiply-add and an add-compare, on two pipes. */
    static double relaxations() {
        return operationsPerSecond() * 2 / 3;
    }
}
