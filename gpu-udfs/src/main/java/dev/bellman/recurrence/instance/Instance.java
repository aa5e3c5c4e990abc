package dev.bellman.recurrence.instance;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;

/**
 * A recurrence whose arguments have been checked.
 *
 * @param function the name of the SQL function, for messages
 * @param initial the first elements, at least {@code offsets[0]} of them; residues if the operator has a modulus
 * @param offsets the positive offsets in descending order; at least one
 * @param weights the weight of each offset, or null if there are no weights
 * @param length the length of the table
 */
public record Instance(
        String function,
        Element element,
        long[] initial,
        int[] offsets,
        long[] weights,
        int length,
        Operator operator) {

    /** Checks the arguments, and reduces the initial values modulo the operator's modulus if it has one. */
    public static Instance of(
            String function,
            Element element,
            long[] initial,
            int[] offsets,
            long[] weights,
            int length,
            String operatorText) {
        boolean weighted = weights != null;
        Operator operator = Operator.of(operatorText, element, weighted)
                .orElseThrow(() -> BellmanException.inRow(function, Operator.wrong(operatorText, element, weighted)));
        if (length < 0) {
            throw BellmanException.inRow(function, "length is %d; it must be at least 0".formatted(length));
        }
        if (offsets.length == 0) {
            throw BellmanException.inRow(function, "offsets is empty; it needs at least one entry");
        }
        for (int j = 0; j < offsets.length; j++) {
            if (offsets[j] < 1) {
                throw BellmanException.inRow(
                        function,
                        "entry %d of offsets (counted from 1) is %d; an offset must be at least 1"
                                .formatted(j + 1, offsets[j]));
            }
            if (j > 0 && offsets[j] >= offsets[j - 1]) {
                throw BellmanException.inRow(
                        function,
                        ("entry %d of offsets (counted from 1) is %d, but the previous entry is %d; offsets must "
                                        + "decrease")
                                .formatted(j + 1, offsets[j], offsets[j - 1]));
            }
        }
        if (offsets[0] > initial.length) {
            throw BellmanException.inRow(
                    function,
                    "the first offset is %1$d, but initial has only %2$d entries; it needs at least %1$d"
                            .formatted(offsets[0], initial.length));
        }
        if (weighted && weights.length != offsets.length) {
            throw BellmanException.inRow(
                    function,
                    "weights has %d entries, but offsets has %d; each offset needs a weight"
                            .formatted(weights.length, offsets.length));
        }
        return new Instance(function, element, normal(function, initial, operator), offsets, weights, length, operator);
    }

    private static long[] normal(String function, long[] initial, Operator operator) {
        if (operator.kind().isBoolean()) {
            for (int i = 0; i < initial.length; i++) {
                if (initial[i] != 0 && initial[i] != 1) {
                    throw BellmanException.inRow(
                            function,
                            "entry %d of initial (counted from 1) is %d; for %s it must be 0 or 1"
                                    .formatted(
                                            i + 1, initial[i], operator.kind().text()));
                }
            }
        }
        if (operator.kind() != Operator.Kind.SUM_MOD) {
            return initial;
        }
        long[] residues = new long[initial.length];
        for (int i = 0; i < initial.length; i++) {
            residues[i] = Math.floorMod(initial[i], operator.modulus());
        }
        return residues;
    }

    /**
     * Returns the index of the first element that combines earlier elements, or the length if all elements are initial.
     */
    public int start() {
        return Math.min(initial.length, length);
    }

    public int stages() {
        return offsets.length;
    }

    /** Creates a table with the initial elements. */
    public long[] table() {
        long[] table = new long[length];
        System.arraycopy(initial, 0, table, 0, start());
        return table;
    }

    public BellmanException overflow(int index) {
        return new BellmanException(
                ErrorCode.BELLMAN_OVERFLOW,
                ("%s: %s at index %d (counted from 0) does not fit in a BIGINT; use smaller values%s, or try_%s, "
                                + "which returns NULL")
                        .formatted(
                                function,
                                weights == null ? "the sum" : "a weighted value",
                                index,
                                weights == null ? ", a modulus" : "",
                                function));
    }
}
