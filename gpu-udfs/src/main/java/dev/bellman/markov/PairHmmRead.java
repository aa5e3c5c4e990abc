package dev.bellman.markov;

import dev.bellman.BellmanException;
import dev.bellman.columns.TaskMemory;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * A sequenced read with the probabilities of errors at each base. Arrays have an entry for each base.
 *
 * @param bases in uppercase
 * @param match the probability of the base if it equals the haplotype's base
 * @param mismatch the probability of the base if it differs
 * @param stay the probability that neither an insertion nor a deletion begins
 * @param insert the probability that an insertion begins
 * @param delete the probability that a deletion begins
 * @param extend the probability that an insertion or a deletion continues
 * @param close the probability that an insertion or a deletion ends
 */
record PairHmmRead(
        byte[] bases,
        double[] match,
        double[] mismatch,
        double[] stay,
        double[] insert,
        double[] delete,
        double[] extend,
        double[] close) {
    /** The base that matches every base. */
    static final byte ANY = 'N';

    private static final int FIRST = '!';

    /** The number of qualities that a character can represent. */
    static final int QUALITIES = '~' - FIRST + 1;

    /** The number of wrong bases that a sequencing error may produce. */
    private static final double WRONG_BASES = 3;

    private static final int ARRAYS = 12;

    /** The probability of an error for each quality. */
    private static final double[] ERRORS = new double[QUALITIES];

    static {
        for (int q = 0; q < QUALITIES; q++) {
            ERRORS[q] = StrictMath.pow(10, -q / 10.0);
        }
    }

    /**
     * Reads the arguments of a call.
     *
     * @param gaps the qualities of insertions, deletions and continuations, each with one character or a character for
     *     each base
     * @throws BellmanException if the function rejects the arguments
     */
    static PairHmmRead of(String function, UTF8String read, UTF8String qualities, UTF8String... gaps) {
        byte[] bases = bases(function, "read", read);
        int length = bases.length;
        TaskMemory.take(
                function, (long) ARRAYS * Double.BYTES * length, "", () -> "a read of %,d bases".formatted(length));
        double[] mismatch = errors(function, "qualities", qualities, length, false);
        double[] match = new double[length];
        double[] insert = errors(function, "insertion_qualities", gaps[0], length, true);
        double[] delete = errors(function, "deletion_qualities", gaps[1], length, true);
        double[] extend = errors(function, "continuation", gaps[2], length, true);
        double[] stay = new double[length];
        double[] close = new double[length];
        for (int i = 0; i < length; i++) {
            match[i] = 1 - mismatch[i];
            mismatch[i] /= WRONG_BASES;
            stay[i] = Math.max(0, 1 - (insert[i] + delete[i]));
            close[i] = 1 - extend[i];
        }
        return new PairHmmRead(bases, match, mismatch, stay, insert, delete, extend, close);
    }

    int length() {
        return bases.length;
    }

    /** Returns three probabilities for each quality: of an error, of no error, and of each wrong base. */
    static double[] probabilities() {
        double[] probabilities = new double[3 * QUALITIES];
        for (int q = 0; q < QUALITIES; q++) {
            probabilities[3 * q] = ERRORS[q];
            probabilities[3 * q + 1] = 1 - ERRORS[q];
            probabilities[3 * q + 2] = ERRORS[q] / WRONG_BASES;
        }
        return probabilities;
    }

    static byte[] bases(String function, String name, UTF8String sequence) {
        byte[] bases = TaskMemory.bytesOf(sequence);
        if (bases.length == 0) {
            throw BellmanException.inRow(function, "`%s` is empty; it must contain at least one base".formatted(name));
        }
        for (int i = 0; i < bases.length; i++) {
            int letter = bases[i] & ~0x20;
            if (letter < 'A' || letter > 'Z') {
                throw BellmanException.inRow(
                        function,
                        "byte %,d of `%s` is 0x%02x; bases must be letters from A to Z"
                                .formatted(i + 1, name, bases[i]));
            }
            bases[i] = (byte) letter;
        }
        return bases;
    }

    private static double[] errors(
            String function, String name, UTF8String qualities, int length, boolean isShortAllowed) {
        byte[] characters = TaskMemory.bytesOf(qualities);
        boolean isShort = isShortAllowed && characters.length == 1;
        if (characters.length != length && !isShort) {
            throw BellmanException.inRow(
                    function,
                    ("`%1$s` has %2$,d characters, but `read` has %3$,d bases; `%1$s` must have a character for each "
                                    + "base%4$s")
                            .formatted(name, characters.length, length, isShortAllowed ? ", or one for all" : ""));
        }
        double[] errors = new double[length];
        for (int i = 0; i < length; i++) {
            int quality = characters[isShort ? 0 : i] - FIRST;
            if (quality < 0 || quality >= QUALITIES) {
                throw BellmanException.inRow(
                        function,
                        "byte %,d of `%s` is 0x%02x; qualities must be characters from ! (0) to ~ (93)"
                                .formatted(isShort ? 1 : i + 1, name, characters[isShort ? 0 : i]));
            }
            errors[i] = ERRORS[quality];
        }
        return errors;
    }
}
