package dev.bellman.fold.rna;

import dev.bellman.fold.rna.energy.LoopEnergies;
import dev.bellman.fold.rna.energy.WideRow;
import dev.bellman.fold.rna.energy.WideRow.Wide;
import java.util.Arrays;

/**
 * Sums the weights of internal loops for the pairs of a row, in code that compiles to vector instructions. A weight is
 * a product of three factors, corresponding to the sum of three terms in {@link InternalLoops}, which explains the
 * kinds of loops and the passes over stored rows. A second computation, in reverse, propagates derivatives of the sums
 * to the stored rows.
 */
final class InternalSums {
    /** The first column that may contain a pair: a pass also reads the three columns before a pair's column. */
    static final int FIRST = WideRow.FOUR - 1;

    private static final int KINDS = InternalLoops.KINDS;
    private static final int KEPT = InternalLoops.KEPT;

    private final EnsembleLoops loops;
    private final Constraint constraint;
    /**
     * The weight of each stored pair times the pair's part of the loop's weight, by kind and row; in the reverse
     * computation, the derivatives.
     */
    private final WideRow[][] inner = new WideRow[KINDS][];

    private final WideRow[] sums = new WideRow[KINDS];

    /**
     * @param constraint the constraint; if it requires bases to pair, column i must stand for base i
     * @param rows the number of rows
     */
    InternalSums(EnsembleLoops loops, Constraint constraint, int rows, int columns) {
        this.loops = loops;
        this.constraint = constraint;
        for (int kind = 0; kind < KINDS; kind++) {
            inner[kind] = new WideRow[Math.min(KEPT, rows)];
            Arrays.setAll(inner[kind], at -> new WideRow(columns));
            // a loop that processes several columns at once reads zeros after the last column
            sums[kind] = new WideRow(columns + WideRow.FOUR);
        }
    }

    void clear() {
        for (int row = 0; row < inner[0].length; row++) {
            clear(row);
        }
    }

    void clear(int row) {
        for (WideRow[] kind : inner) {
            kind[row % KEPT].clear();
        }
    }

    /** Clears the sums, so that a new row can begin. */
    void start() {
        for (WideRow each : sums) {
            each.clear();
        }
    }

    /**
     * Adds the loops that end at a pair of a stored row to the sums of all columns before {@code end}.
     *
     * @param l the number of unpaired bases between the two rows
     * @param first the first column of the stored row that may contain a pair, at least {@value #FIRST}
     */
    void sum(int l, int row, int first, int end) {
        double[] sized = loops.sized(l);
        for (int r = 0; r <= LoopEnergies.MAX_INTERNAL - l && first + 1 + r < end; ) {
            int kind = InternalLoops.kind(l, r);
            int next = InternalLoops.next(l, r);
            if (kind >= 0 && next - r == WideRow.FOUR && !constraint.isEnforced()) {
                sums[kind].addBefore(first + 1 + r, inner[kind][row % KEPT], first, end - first - 1 - r, sized, r);
            } else if (kind >= 0) {
                for (int each = r; each < Math.min(next, end - first - 1); each++) {
                    int behind;
                    for (int from = free(first + 1 + each, end, each); from < end; from = free(behind, end, each)) {
                        behind = forced(from, end, each);
                        sums[kind].add(from, inner[kind][row % KEPT], from - 1 - each, behind - from, sized[each], 0);
                    }
                }
            }
            r = next;
        }
    }

    /**
     * Adds the sums for a pair to the pair's weight.
     *
     * @param pair the number of the pair ({@link EnsembleLoops#closes})
     */
    void addTo(Wide sum, int column, int pair) {
        for (int kind = 0; kind < KINDS; kind++) {
            sum.add(sums[kind].value(column) * loops.end(kind, pair), sums[kind].level(column));
        }
    }

    /**
     * Stores the weight of a pair; the row must have been cleared before.
     *
     * @param pair the number of the pair ({@link EnsembleLoops#branches})
     */
    void keep(int row, int column, double value, int level, int pair) {
        for (int kind = 0; kind < KINDS; kind++) {
            inner[kind][row % KEPT].add(column, value * loops.end(kind, pair), level);
        }
    }

    /** Normalizes a stored row after its last pair was stored. */
    void finish(int row, int from, int to) {
        for (int kind = 0; kind < KINDS; kind++) {
            inner[kind][row % KEPT].normalize(from, to);
        }
    }

    /**
     * Adds the derivatives of a stored row to a pair's derivative.
     *
     * @param pair as in {@link #keep}
     */
    void addKept(Wide sum, int row, int column, int pair) {
        for (int kind = 0; kind < KINDS; kind++) {
            WideRow passed = inner[kind][row % KEPT];
            sum.add(passed.value(column) * loops.end(kind, pair), passed.level(column));
        }
    }

    /**
     * Adds a pair's derivative to the derivatives of the sums for this pair.
     *
     * @param pair as in {@link #addTo}
     */
    void spread(Wide sum, int column, int pair) {
        for (int kind = 0; kind < KINDS; kind++) {
            sums[kind].add(column, sum.value * loops.end(kind, pair), sum.level);
        }
    }

    void normalize(int from, int to) {
        for (WideRow each : sums) {
            each.normalize(from, to);
        }
    }

    /** Propagates the derivatives of the sums to a stored row, with parameters as in {@link #sum}. */
    void spread(int l, int row, int first, int end) {
        double[] sized = loops.sized(l);
        for (int r = 0; r <= LoopEnergies.MAX_INTERNAL - l && first + 1 + r < end; ) {
            int kind = InternalLoops.kind(l, r);
            int next = InternalLoops.next(l, r);
            if (kind >= 0 && next - r == WideRow.FOUR && !constraint.isEnforced()) {
                inner[kind][row % KEPT].addBehind(first, sums[kind], first + 1 + r, end - first - 1 - r, sized, r);
            } else if (kind >= 0) {
                for (int each = r; each < Math.min(next, end - first - 1); each++) {
                    int behind;
                    for (int from = free(first + 1 + each, end, each); from < end; from = free(behind, end, each)) {
                        behind = forced(from, end, each);
                        inner[kind][row % KEPT].add(from - 1 - each, sums[kind], from, behind - from, sized[each], 0);
                    }
                }
            }
            r = next;
        }
    }

    /**
     * Returns the first column from {@code from} on such that the r bases before it may all be unpaired; {@code end} if
     * there is none.
     */
    private int free(int from, int end, int r) {
        int column = from;
        while (column < end && !constraint.areFree(column - r, column)) {
            column++;
        }
        return column;
    }

    /**
     * Returns the first column from {@code from} on such that one of the r bases before it must pair; {@code end} if
     * there is none.
     */
    private int forced(int from, int end, int r) {
        if (!constraint.isEnforced()) {
            return end;
        }
        int column = from;
        while (column < end && constraint.areFree(column - r, column)) {
            column++;
        }
        return column;
    }
}
