package dev.bellman.check;

import dev.bellman.check.Comparison.Answers;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;

/**
 * The expected results for the rows of a task; the query returns the actual results later, in the same order. Numbers
 * are stored as primitives, because the garbage collector would otherwise copy many objects again and again. A task
 * writes and reads the results on a single thread.
 */
final class Expectations {
    /** The maximum number of rows in a {@link Part}. A {@link Part} is released after its last row has been read. */
    private static final int ROWS = 1 << 10;

    private final DataType[] types;
    private final Queue<Part> parts = new ArrayDeque<>();
    private Part last;
    /** The current row, as an index into the first {@link Part}. */
    private int row = -1;

    /** @param types the types of the results of each solver */
    Expectations(DataType... types) {
        this.types = types;
    }

    /** Consecutive rows. */
    private static final class Part {
        private final long[] numbers = new long[ROWS];
        private final long[] lanes = new long[ROWS];
        private final boolean[] referred = new boolean[ROWS];
        private final boolean[] lookedUp = new boolean[ROWS];
        private final Results[] results;
        private int rows;

        Part(DataType... types) {
            results = Stream.of(types).map(Results::new).toArray(Results[]::new);
        }
    }

    private static final class Results {
        private final DataType type;
        private final boolean[] present = new boolean[ROWS];
        /** Numbers, with doubles stored as their bits; null for other types. */
        private final long[] numbers;

        private final Object[] others;

        Results(DataType type) {
            this.type = type;
            boolean number = type instanceof IntegerType || type instanceof LongType || type instanceof DoubleType;
            numbers = number ? new long[ROWS] : null;
            others = number ? null : new Object[ROWS];
        }

        void set(int row, Object result) {
            present[row] = result != null;
            if (numbers == null) {
                others[row] = result;
            } else if (result instanceof Double number) {
                numbers[row] = Double.doubleToLongBits(number);
            } else if (result != null) {
                numbers[row] = ((Number) result).longValue();
            }
        }

        Object get(int row) {
            if (!present[row] || numbers == null) {
                return present[row] ? others[row] : null;
            } else if (type instanceof IntegerType) {
                return (int) numbers[row];
            } else if (type instanceof LongType) {
                return numbers[row];
            }
            return Double.longBitsToDouble(numbers[row]);
        }

        boolean isEqual(int row, InternalRow answers, int column) {
            if (!present[row] || answers.isNullAt(column)) {
                return !present[row] && answers.isNullAt(column);
            } else if (type instanceof IntegerType) {
                return numbers[row] == answers.getInt(column);
            } else if (type instanceof LongType) {
                return numbers[row] == answers.getLong(column);
            } else if (type instanceof DoubleType) {
                return numbers[row] == Double.doubleToLongBits(answers.getDouble(column));
            }
            return Answers.equal(type, others[row], Answers.read(type, answers, column));
        }
    }

    /**
     * Adds a row without results.
     *
     * @param lanes the lanes that solve the row, as a bit set
     * @param referred whether the references solve the row
     * @param lookedUp whether the oracles solve the row
     */
    void add(long number, long lanes, boolean referred, boolean lookedUp) {
        if (last == null || last.rows == ROWS) {
            last = new Part(types);
            parts.add(last);
        }
        last.numbers[last.rows] = number;
        last.lanes[last.rows] = lanes;
        last.referred[last.rows] = referred;
        last.lookedUp[last.rows] = lookedUp;
        last.rows++;
    }

    /** Sets a solver's result for the most recently added row. */
    void set(int solver, Object result) {
        last.results[solver].set(last.rows - 1, result);
    }

    /** Moves to the next row, which must have this number. */
    void next(long number) {
        row++;
        if (row == ROWS) {
            parts.remove();
            row = 0;
        }
        if (isAtEnd() || number() != number) {
            throw new IllegalStateException("expected %s, but the query returned row %d"
                    .formatted(isAtEnd() ? "no more rows" : "row " + number(), number));
        }
    }

    private boolean isAtEnd() {
        return parts.isEmpty() || row == parts.element().rows;
    }

    /** Checks that the current row is the last row. */
    void end() {
        long left = parts.stream().mapToLong(part -> part.rows).sum() - row - 1;
        if (left > 0) {
            throw new IllegalStateException("the query did not return its last %d rows".formatted(left));
        }
    }

    long number() {
        return parts.element().numbers[row];
    }

    /** Returns the lanes that solve the current row, as a bit set. */
    long lanes() {
        return parts.element().lanes[row];
    }

    boolean isReferred() {
        return parts.element().referred[row];
    }

    boolean isLookedUp() {
        return parts.element().lookedUp[row];
    }

    /** Returns the result that a solver has for the current row. */
    Object result(int solver) {
        return parts.element().results[solver].get(row);
    }

    /** Whether the result that a solver has for the current row equals the value in a column. */
    boolean isEqual(int solver, InternalRow answers, int column) {
        return parts.element().results[solver].isEqual(row, answers, column);
    }
}
