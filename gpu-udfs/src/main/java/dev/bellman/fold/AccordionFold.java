package dev.bellman.fold;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import java.util.Arrays;

/**
 * Folds a protein like an accordion. The chain is divided into strands of at least two residues, which run up and down
 * side by side. Each strand faces the previous strand: the two residues next to the fold face each other, then the next
 * two residues, and so on. Two hydrophobic residues that face each other form a contact, unless they are neighbours in
 * the chain, like the two residues directly at the fold. The best folding has the maximum number of contacts.
 *
 * <pre>{@code
 * f(j, x) = how many y, j + 2 <= y <= x, have hydrophobic residues y and 2 j + 1 - y
 * s(i, n) = 0
 * s(i, j) = max over k >= j + 2 of s(j + 1, k) + f(j, min(k, 2 j - i + 1))
 * }</pre>
 *
 * <p>{@code f(j, x)} is the number of contacts at the fold after residue {@code j}, counting only the residues up to
 * {@code x}. In {@code s(i, j)}, the first strand consists of the residues {@code i} to {@code j}, and the second
 * strand consists of the residues {@code j + 1} to {@code k}.
 *
 * <p>Residues are counted from 1. The result is the maximum of {@code s(1, j)}. The recurrence for protein accordion
 * folding is from Javanmard et al., "Toward efficient architecture-independent algorithms for dynamic programs" (2019),
 * Table 1. Computed directly, the recurrence takes O(n^3) time. However, the maximum splits into two parts that depend
 * only on {@code j} and on {@code t = 2 j - i + 1}, the residue opposite residue {@code i}. The first part is the
 * largest {@code s(j + 1, k) + f(j, k)} for {@code k <= t}, which is a prefix maximum. The second part is
 * {@code f(j, t)} plus the largest {@code s(j + 1, k)} for {@code k > t}, which is a suffix maximum. This takes O(n^2).
 *
 * <p>A folding is represented by the last residue of each strand. Ties: the folding with the shortest first strand
 * wins, then the folding with the shortest second strand, and so on.
 */
public final class AccordionFold {
    /** All strategies return the same folding. */
    public enum Strategy {
        /** Uses {@link #QUADRATIC}. */
        AUTO,
        /** Computes the recurrence of {@link AccordionFold} directly, in O(n^3) time. */
        SERIAL,
        /** Computes the recurrence using prefix and suffix maxima, in O(n^2) time. */
        QUADRATIC
    }

    /** The number of contacts, and the last residue of each strand, counted from 1. */
    public record Solution(int score, int[] ends) {}

    /** Marks a folding that does not exist because its last strand would have one residue. */
    private static final int NONE = Integer.MIN_VALUE / 2;

    private final boolean[] hydrophobic;
    private final int n;
    /** The values {@code s(i, j)}, stored at {@code contacts[i][j - i]}. */
    private final int[][] contacts;

    private AccordionFold(boolean[] hydrophobic) {
        this.hydrophobic = hydrophobic;
        n = hydrophobic.length - 1;
        contacts = new int[n + 1][];
        for (int i = 1; i <= n; i++) {
            contacts[i] = new int[n - i + 1];
        }
    }

    /**
     * Returns the best folding.
     *
     * @param residues one letter per residue: {@code H} or {@code 1} for a hydrophobic residue, {@code P} or {@code 0}
     *     for others
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_VALUE} for any other letter; {@link
     *     ErrorCode#BELLMAN_LIMIT} if the table does not fit in the heap
     */
    public static Solution solve(byte[] residues, Strategy strategy) {
        int n = residues.length;
        TaskMemory.take(
                "accordion_fold", ((long) n * n / 2 + 24L * n) * Integer.BYTES, "", () -> "the table for %d residues"
                        .formatted(n));
        boolean[] hydrophobic = new boolean[n + 1];
        for (int i = 1; i <= n; i++) {
            byte letter = residues[i - 1];
            hydrophobic[i] = letter == 'H' || letter == '1';
            if (!hydrophobic[i] && letter != 'P' && letter != '0') {
                throw new BellmanException(
                        ErrorCode.BELLMAN_INPUT_VALUE,
                        ("accordion_fold: byte %d of hp_sequence (counted from 1) is '%s'; each byte must be H or 1 "
                                        + "for a hydrophobic residue, or P or 0 for any other residue. Use translate() "
                                        + "to convert amino acids. Correct the row, or use try_accordion_fold, which "
                                        + "returns NULL")
                                .formatted(i, letter > ' ' ? (char) letter : "\\x%02x".formatted(letter)));
            }
        }
        if (n == 0) {
            return new Solution(0, new int[0]);
        }
        AccordionFold fold = new AccordionFold(hydrophobic);
        int[] facing = new int[n + 1];
        Cancellation cancellation = new Cancellation();
        for (int j = n - 1; j >= 1; j--) {
            cancellation.count(n);
            fold.countFacing(j, facing);
            if (strategy == Strategy.SERIAL) {
                fold.fillAsPrinted(j, facing, cancellation);
            } else {
                fold.fill(j, facing);
            }
        }
        return fold.walk(facing);
    }

    /** Sets {@code f(j, x)} for every residue x after j that can face the strand that ends at j. */
    private void countFacing(int j, int[] facing) {
        int last = Math.min(2 * j, n);
        facing[j + 1] = 0;
        for (int x = j + 2; x <= last; x++) {
            facing[x] = facing[x - 1] + (hydrophobic[x] && hydrophobic[2 * j + 1 - x] ? 1 : 0);
        }
    }

    private void fillAsPrinted(int j, int[] facing, Cancellation cancellation) {
        for (int i = 1; i <= j; i++) {
            cancellation.count(n - j);
            int best = NONE;
            for (int k = j + 2; k <= n; k++) {
                best = Math.max(best, second(j, k) + facing[Math.min(k, 2 * j - i + 1)]);
            }
            contacts[i][j - i] = best;
        }
    }

    private int second(int j, int k) {
        return contacts[j + 1][k - j - 1];
    }

    private void fill(int j, int[] facing) {
        int[] suffix = new int[n + 2];
        suffix[n + 1] = NONE;
        for (int k = n; k >= j + 2; k--) {
            suffix[k] = Math.max(suffix[k + 1], second(j, k));
        }
        int last = Math.min(2 * j, n);
        int prefix = NONE;
        for (int t = j + 1; t <= last; t++) {
            if (t >= j + 2) {
                prefix = Math.max(prefix, second(j, t) + facing[t]);
            }
            int i = 2 * j + 1 - t;
            contacts[i][j - i] = Math.max(prefix, facing[t] + suffix[t + 1]);
        }
        // set the values for first strands that are longer than the rest of the chain
        for (int i = 1; i <= 2 * j - last; i++) {
            contacts[i][j - i] = prefix;
        }
    }

    private Solution walk(int[] facing) {
        int score = NONE;
        int end = 0;
        for (int j = n; j >= Math.min(2, n); j--) {
            if (contacts[1][j - 1] >= score) {
                score = contacts[1][j - 1];
                end = j;
            }
        }
        int[] ends = new int[n];
        int strands = 0;
        int first = 1;
        ends[strands++] = end;
        while (end < n) {
            countFacing(end, facing);
            int k = end + 2;
            while (second(end, k) + facing[Math.min(k, 2 * end - first + 1)] != contacts[first][end - first]) {
                k++;
            }
            first = end + 1;
            end = k;
            ends[strands++] = end;
        }
        return new Solution(score, Arrays.copyOf(ends, strands));
    }
}
