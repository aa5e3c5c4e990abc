package dev.bellman.fold.rna;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.TaskMemory;
import dev.bellman.fold.Bases;
import dev.bellman.fold.rna.energy.LoopEnergies;
import java.util.Arrays;

/**
 * The pairs that each base of an RNA may form in a folding, written as a string with one character per base in
 * ViennaRNA's notation:
 *
 * <pre>
 * .    anything
 * x    is unpaired
 * |    pairs
 * &lt;    pairs with no base before it
 * &gt;    pairs with no base after it
 * ( )  pairs with the base of the other bracket; no pair crosses it
 * </pre>
 *
 * <p>Pairs that contradict the constraint are not allowed. A base that is marked with a bar or a bracket may still be
 * unpaired, unless the constraint is enforced.
 */
final class Constraint {
    /** A constraint that allows every structure. */
    static final Constraint NONE = new Constraint(new byte[0], new int[0], new int[0], new int[1]);

    private static final int BYTES_OF_A_LETTER = 1 + 3 * Integer.BYTES;

    private final byte[] letters;
    /** The position of each bracket's partner; -1 for other characters. */
    private final int[] partners;
    /**
     * The position of the opening bracket in the innermost pair of brackets that encloses each base; -1 if no brackets
     * enclose it.
     */
    private final int[] around;
    /** For each base, the number of bases before it that are required to pair. */
    private final int[] forced;

    private Constraint(byte[] letters, int[] partners, int[] around, int... forced) {
        this.letters = letters;
        this.partners = partners;
        this.around = around;
        this.forced = forced;
    }

    /**
     * Parses a constraint.
     *
     * @param isEnforced whether bases that are marked with a bar or a bracket must be paired
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_VALUE} for unknown characters, or for brackets without
     *     partners
     */
    static Constraint of(String function, byte[] letters, boolean isEnforced) {
        int n = letters.length;
        TaskMemory.take(
                function, (long) BYTES_OF_A_LETTER * n, "", () -> "a constraint of %,d characters".formatted(n));
        int[] partners = new int[n];
        int[] around = new int[n];
        int[] forced = new int[n + 1];
        Arrays.fill(partners, -1);
        int open = -1;
        for (int i = 0; i < n; i++) {
            byte letter = letters[i];
            if (".x|<>()".indexOf(letter) < 0) {
                throw wrong(
                        function,
                        "character %d is '%s'; each character must be one of . x | < > ( )"
                                .formatted(i + 1, letter > ' ' ? (char) letter : "\\x%02x".formatted(letter)));
            }
            around[i] = open;
            if (letter == '(') {
                open = i;
            } else if (letter == ')') {
                if (open < 0) {
                    throw wrong(function, "the ')' at character %d has no partner".formatted(i + 1));
                }
                partners[i] = open;
                partners[open] = i;
                open = around[open];
            }
            forced[i + 1] = forced[i] + (isEnforced && "|()".indexOf(letter) >= 0 ? 1 : 0);
        }
        if (open >= 0) {
            throw wrong(function, "the '(' at character %d has no partner".formatted(open + 1));
        }
        return new Constraint(letters, partners, around, forced);
    }

    /**
     * Returns the constraint for a sequence with an unpaired base added at each end.
     *
     * @param n the number of bases without the added bases
     */
    Constraint padded(String function, int n) {
        byte[] more = new byte[n + 2];
        Arrays.fill(more, (byte) '.');
        System.arraycopy(letters, 0, more, 1, letters.length);
        more[0] = 'x';
        more[n + 1] = 'x';
        return of(function, more, isEnforced());
    }

    private static BellmanException wrong(String function, String found) {
        return BellmanException.inSetting(
                function,
                "`constraint` must have a character for each base, and its brackets must be paired; %s"
                        .formatted(found));
    }

    /**
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_VALUE} if the constraint and the sequence differ in
     *     length, or if brackets match bases that cannot pair or are too close
     */
    void check(String function, byte... bases) {
        if (this == NONE) {
            return;
        }
        if (letters.length != bases.length) {
            throw BellmanException.inRow(
                    function,
                    "`sequence` has %,d bases, but `constraint` has %,d characters; the two lengths must be equal"
                            .formatted(bases.length, letters.length));
        }
        for (int i = 0; i < bases.length; i++) {
            int j = partners[i];
            if (j > i && (j - i <= LoopEnergies.MIN_HAIRPIN || Bases.pair(bases[i], bases[j]) == 0)) {
                throw BellmanException.inRow(
                        function,
                        ("`constraint` pairs base %d (%s) with base %d (%s); only C and G, A and U, and G and U can "
                                        + "pair, with at least 3 bases between them")
                                .formatted(
                                        i + 1, Bases.LETTERS.charAt(bases[i]), j + 1, Bases.LETTERS.charAt(bases[j])));
            }
        }
    }

    /** Whether any base must be paired. */
    boolean isEnforced() {
        return forced[letters.length] > 0;
    }

    /** Whether two bases may pair. */
    boolean allows(int i, int j) {
        if (this == NONE) {
            return true;
        }
        if (partners[i] >= 0 || partners[j] >= 0) {
            return partners[i] == j;
        }
        return letters[i] != 'x'
                && letters[j] != 'x'
                && letters[i] != '>'
                && letters[j] != '<'
                && around[i] == around[j];
    }

    /** Whether all bases from {@code begin} (inclusive) to {@code end} (exclusive) may be unpaired. */
    boolean areFree(int begin, int end) {
        return this == NONE || forced[begin] == forced[end];
    }
}
