package dev.bellman.fold.rna;

import static dev.bellman.fold.rna.energy.LoopEnergies.MAX_INTERNAL;
import static dev.bellman.fold.rna.energy.LoopEnergies.MIN_HAIRPIN;

import dev.bellman.fold.rna.energy.WideRow;
import dev.bellman.fold.rna.energy.WideRow.Wide;
import java.util.Arrays;

/**
 * Sums the weights of internal loops for the pairs of a row, in code that compiles to vector instructions. A weight is
 * a product of factors, corresponding to the sum of terms in {@link InternalLoops}, which explains the kinds of loops
 * and the stored rows.
 *
 * <p>The factor for {@code l} and {@code r} unpaired bases of most loops is a product of two numbers, which depend on
 * {@code l + r} and on {@code |l - r|}. The sum over all loops with {@code s} unpaired bases, without the factor for
 * {@code s}, follows from the sum for the next smaller pair, because the loops' difference {@code l - r} is the same:
 *
 * <pre>{@code
 * sized(s, i, j) = sized(s - 2, i + 1, j - 1)
 *                + asymmetry(s - 4) (inner(i + 3, j + 1 - s) + inner(i + s - 1, j - 3))
 * }</pre>
 *
 * <p>The derivatives of these sums with respect to the weights of the inner pairs have the same form if the numbers of
 * rows and columns are reversed: see {@link #outside}.
 */
final class InternalSums {
    private static final int KINDS = InternalLoops.KINDS;
    private static final int BULGE = InternalLoops.BULGE;
    private static final int ONE = InternalLoops.ONE;
    private static final int TWO_THREE = InternalLoops.TWO_THREE;
    private static final int OTHER = InternalLoops.OTHER;
    private static final int KEPT = InternalLoops.KEPT;

    /** The index, in a stored row, of the first column: a pass also reads the three columns before a pair's column. */
    private static final int FIRST = WideRow.FOUR - 1;

    /** The minimum number of unpaired bases in {@link #ofSize}, and the minimum number in a loop of the last kind. */
    private static final int LEAST_SIZE = 4;

    private static final int LEAST_OTHER = 6;

    /** Which columns of a row may contain pairs. */
    private enum Shape {
        AFTER_ROW,
        BEFORE_ROW,
        ALL
    }

    private final EnsembleLoops loops;
    private final Constraint constraint;
    private final Shape shape;
    private final int rows;
    private final int columns;

    /** The weight of each stored pair times the pair's part of the loop's weight, by kind and row. */
    private final WideRow[][] inner = new WideRow[KINDS][];

    private final WideRow[] sums = new WideRow[KINDS];
    /** The sums over the loops of the last kind with an odd number of unpaired bases. */
    private final WideRow odd;

    /** The values {@code sized(s, i, j)} of the last row, indexed by s and by i + j. */
    private final WideRow[] ofSize = new WideRow[MAX_INTERNAL + 1];

    /** A row of zeros. */
    private final WideRow none;

    private final Wide sum = new Wide();

    private InternalSums(EnsembleLoops loops, Constraint constraint, Shape shape, int rows, int columns) {
        this.loops = loops;
        this.constraint = constraint;
        this.shape = shape;
        this.rows = rows;
        this.columns = columns;
        for (int kind = 0; kind < KINDS; kind++) {
            inner[kind] = new WideRow[Math.min(KEPT, rows)];
            Arrays.setAll(inner[kind], at -> new WideRow(FIRST + columns));
            sums[kind] = new WideRow(columns);
        }
        odd = new WideRow(columns);
        none = new WideRow(columns);
        for (int size = LEAST_SIZE; size <= MAX_INTERNAL; size++) {
            ofSize[size] = new WideRow(rows + columns);
        }
    }

    /** Creates the sums over the loops inside pairs: rows are the pairs' first bases, from the last to the first. */
    static InternalSums inside(EnsembleLoops loops, Constraint constraint, int n) {
        return new InternalSums(loops, constraint, Shape.AFTER_ROW, n, n);
    }

    /**
     * Creates the sums over the loops around pairs. Rows and columns are counted from the end: the pair (i, j) is in
     * column {@code n - 1 - j} of row {@code n - 1 - i}, so that the pairs around it are in later rows and earlier
     * columns, as the pairs inside it are in {@link #inside}.
     */
    static InternalSums outside(EnsembleLoops loops, Constraint constraint, int n) {
        return new InternalSums(loops, constraint, Shape.BEFORE_ROW, n, n);
    }

    /** Creates the sums over the loops of pairs between two strands, whose bases are the rows and the columns. */
    static InternalSums between(EnsembleLoops loops, int rows, int columns) {
        return new InternalSums(loops, Constraint.NONE, Shape.ALL, rows, columns);
    }

    /** Returns the first column of a row that may contain a pair. */
    private int first(int row) {
        return shape == Shape.AFTER_ROW ? row + MIN_HAIRPIN + 1 : 0;
    }

    /** Returns one past the last column of a row that may contain a pair. */
    private int end(int row) {
        return shape == Shape.BEFORE_ROW ? row - MIN_HAIRPIN : columns;
    }

    /** Whether all bases from {@code from} up to but excluding {@code to} may be unpaired. */
    private boolean areFree(int from, int to) {
        return shape == Shape.BEFORE_ROW ? constraint.areFree(rows - to, rows - from) : constraint.areFree(from, to);
    }

    private WideRow inner(int kind, int row) {
        return inner[kind][row % KEPT];
    }

    /** Computes the sums for row i, after the rows after it have been stored. */
    void sum(int i) {
        for (WideRow each : sums) {
            each.clear();
        }
        for (int l = MAX_INTERNAL; l >= 2; l--) {
            add(BULGE, i, l, 0);
            if (l > 2 && l < MAX_INTERNAL) {
                add(ONE, i, l, 1);
            }
        }
        addRow(BULGE, i, 0, 2);
        addRow(ONE, i, 1, 3);
        add(TWO_THREE, i, 2, 3);
        add(TWO_THREE, i, 3, 2);
        odd.clear();
        grow(i);
    }

    /** Adds the loops with l unpaired bases on the left and r or more on the right. */
    private void addRow(int kind, int i, int l, int r) {
        int row = i + 1 + l;
        int each = r;
        while (each + WideRow.FOUR <= MAX_INTERNAL - l + 1 && row < rows && !constraint.isEnforced()) {
            int from = first(row) + 1 + each;
            sums[kind].addBefore(from, inner(kind, row), FIRST + first(row), end(i) - from, loops.sized(l), each);
            each += WideRow.FOUR;
        }
        for (; each <= MAX_INTERNAL - l; each++) {
            add(kind, i, l, each);
        }
    }

    /** Adds the loops with l and r unpaired bases. */
    private void add(int kind, int i, int l, int r) {
        int row = i + 1 + l;
        if (row >= rows || !areFree(i + 1, row)) {
            return;
        }
        int end = end(i);
        int behind;
        for (int from = free(first(row) + 1 + r, end, r); from < end; from = free(behind, end, r)) {
            behind = forced(from, end, r);
            sums[kind].add(from, inner(kind, row), FIRST + from - 1 - r, behind - from, loops.sized(l)[r], 0);
        }
    }

    /** Adds the loops of the last kind. */
    private void grow(int i) {
        WideRow recycledOdd = ofSize[MAX_INTERNAL - 1];
        WideRow recycledEven = ofSize[MAX_INTERNAL];
        System.arraycopy(ofSize, LEAST_SIZE, ofSize, LEAST_SIZE + 2, MAX_INTERNAL - LEAST_SIZE - 1);
        ofSize[LEAST_SIZE] = recycledEven;
        ofSize[LEAST_SIZE + 1] = recycledOdd;
        recycledEven.clear();
        recycledOdd.clear();
        for (int size = LEAST_SIZE; size <= MAX_INTERNAL && i + 3 < rows; size++) {
            int from = first(i + size - 1) + 3;
            // the first column for which there is a loop with two unpaired bases on the left
            int behind = Math.min(first(i + 3) + size - 1, end(i));
            if (constraint.isEnforced()) {
                growEnforced(i, size, from);
            } else {
                grow(i, size, from, behind, false, true);
                grow(i, size, Math.max(from, behind), end(i), true, true);
            }
        }
    }

    private void growEnforced(int i, int size, int from) {
        for (int j = from; j < end(i); j++) {
            if (areFree(i + 1, i + 2) && areFree(j - 1, j)) {
                boolean hasLeft = j + 1 - size >= first(i + 3) && areFree(i + 1, i + 3) && areFree(j + 2 - size, j);
                boolean hasRight = areFree(j - 2, j) && areFree(i + 1, Math.min(rows, i + size - 1));
                grow(i, size, j, j + 1, hasLeft, hasRight);
            } else {
                sum.set(0, 0);
                ofSize[size].set(i + j, sum);
            }
        }
    }

    /**
     * Computes the sums over loops with {@code size} unpaired bases for some columns of row i.
     *
     * @param hasLeft whether there is a loop with two unpaired bases on the left
     * @param hasRight whether there is a loop with two unpaired bases on the right
     */
    private void grow(int i, int size, int from, int to, boolean hasLeft, boolean hasRight) {
        WideRow left = hasLeft && i + 3 < rows ? inner(OTHER, i + 3) : none;
        WideRow right = hasRight && i + size - 1 < rows && size > LEAST_SIZE ? inner(OTHER, i + size - 1) : none;
        ofSize[size].grow(
                i + from,
                left,
                left == none ? 0 : FIRST + from + 1 - size,
                right,
                right == none ? 0 : FIRST + from - 3,
                to - from,
                loops.asymmetry(size - LEAST_SIZE),
                size % 2 == 0 ? sums[OTHER] : odd,
                from,
                size < LEAST_OTHER ? 0 : loops.size(size));
    }

    /**
     * Adds the sums for a pair.
     *
     * @param pair the number of the pair: {@link EnsembleLoops#closes} or, for loops around it,
     *     {@link EnsembleLoops#branches}
     */
    void addTo(Wide to, int column, int pair) {
        for (int kind = 0; kind < KINDS; kind++) {
            sum.value = sums[kind].value(column);
            sum.level = sums[kind].level(column);
            if (kind == OTHER) {
                sum.add(odd.value(column), odd.level(column));
            }
            to.addProduct(sum.value, loops.end(kind, pair), sum.level);
        }
    }

    /** Clears a row, in which pairs can then be stored. */
    void clear(int row) {
        for (int kind = 0; kind < KINDS; kind++) {
            inner(kind, row).clear();
        }
    }

    /**
     * Stores the weight or the derivative of a pair.
     *
     * @param pair the number of the pair: {@link EnsembleLoops#branches} or, for loops around other pairs,
     *     {@link EnsembleLoops#closes}
     */
    void keep(int row, int column, double value, int level, int pair) {
        for (int kind = 0; kind < KINDS; kind++) {
            inner(kind, row).add(FIRST + column, value * loops.end(kind, pair), level);
        }
    }

    /** Normalizes a stored row after its last pair was stored. */
    void finish(int row) {
        for (int kind = 0; kind < KINDS; kind++) {
            inner(kind, row).normalize(0, FIRST + columns);
        }
    }

    /**
     * Returns the first column from {@code from} on such that the r bases before it may all be unpaired; {@code end} if
     * there is none.
     */
    private int free(int from, int end, int r) {
        int column = from;
        while (column < end && !areFree(column - r, column)) {
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
        while (column < end && areFree(column - r, column)) {
            column++;
        }
        return column;
    }
}
