package dev.bellman.large;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.max;

import dev.bellman.job.input.Condition;
import dev.bellman.job.input.InputReader;
import dev.bellman.job.spec.Job;
import dev.bellman.job.spec.JobKeys;
import dev.bellman.job.spec.OnBadRow;
import dev.bellman.large.file.Strip;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.IntegralType;
import org.apache.spark.sql.types.NumericType;

/**
 * The costs of the leaves and the ranges of one long sequence, as read from the rows of an input. In the input, leaves
 * are numbered from 1.
 *
 * @param leaves the number of leaves
 * @param doubles whether the costs are DOUBLE rather than BIGINT
 */
record RangeInput(int leaves, boolean doubles, JavaRDD<Costs> strips) {
    /**
     * The columns of an input in which each row describes a leaf: the leaf, and an array that contains its cost and the
     * costs of all ranges that begin with it.
     */
    static final List<String> BY_LEAVES = List.of("first", "costs");

    /** The columns of an input in which each row describes a range. */
    static final List<String> BY_PARTS = List.of("first", "last", "cost");

    /**
     * Adjacent cells in a row of the table that is computed in tiles. The row of a cell is the number of leaves before
     * its range, and the column is the number of leaves up to the end of the range.
     */
    record Costs(int row, int column, long... bits) implements Strip {
        @Override
        public int count() {
            return bits.length;
        }

        @Override
        public void write(int from, int cells, ByteBuffer to) {
            to.asLongBuffer().put(bits, from, cells);
        }
    }

    /** Reads the data that determines the length of the sequence. */
    static RangeInput read(SparkSession spark, Job job, Consumer<String> notes) {
        Dataset<Row> input = Condition.select(InputReader.read(spark, job.input(), OnBadRow.FAIL, notes), job);
        List<String> arguments = job.get(JobKeys.ARGUMENTS);
        boolean byParts = arguments.size() == BY_PARTS.size();
        Dataset<Row> rows = MatrixInput.select(job, input, arguments, byParts ? BY_PARTS : BY_LEAVES);
        MatrixInput.mustBeWhole(rows, arguments, 0, "leaf");
        return byParts ? byParts(rows, arguments) : byLeaves(rows, arguments);
    }

    private static RangeInput byLeaves(Dataset<Row> rows, List<String> arguments) {
        DataType type = rows.schema().fields()[1].dataType();
        if (!(type instanceof ArrayType array) || !(array.elementType() instanceof NumericType)) {
            throw MatrixInput.schema(
                    arguments.get(1),
                    type,
                    "an array of numbers: the cost of a leaf and the weights of the ranges that begin with it");
        }
        boolean doubles = !(array.elementType() instanceof IntegralType);
        int n = MatrixInput.count(rows.agg(max(col("first"))), "leaves");
        return new RangeInput(
                n,
                doubles,
                MatrixInput.internal(rows.select(
                                col("first").cast("long"),
                                col("costs").cast(doubles ? "array<double>" : "array<long>")))
                        .map(row -> {
                            int i = MatrixInput.index("leaf", row, 0, n);
                            if (row.isNullAt(1)) {
                                throw MatrixInput.invalid(
                                        "the costs of leaf %,d are NULL; they must be an array".formatted(i + 1));
                            }
                            ArrayData values = row.getArray(1);
                            if (values.numElements() != n - i) {
                                throw MatrixInput.invalid(
                                        ("leaf %,d has %,d costs; it must have %,d: its own cost, and one for each "
                                                        + "range that begins with it")
                                                .formatted(i + 1, values.numElements(), n - i));
                            }
                            long[] bits = new long[n - i];
                            for (int j = 0; j < bits.length; j++) {
                                bits[j] = values.isNullAt(j)
                                        ? invalid(i, i + j + 1)
                                        : doubles
                                                ? bits(i, i + j + 1, values.getDouble(j))
                                                : checked(i, i + j + 1, values.getLong(j));
                            }
                            return new Costs(i, i + 1, bits);
                        }));
    }

    private static RangeInput byParts(Dataset<Row> rows, List<String> arguments) {
        MatrixInput.mustBeWhole(rows, arguments, 1, "leaf");
        MatrixInput.mustBeNumber(rows, arguments, 2);
        boolean doubles = !(rows.schema().fields()[2].dataType() instanceof IntegralType);
        int n = MatrixInput.count(rows.agg(max(col("last"))), "leaves");
        return new RangeInput(
                n,
                doubles,
                MatrixInput.internal(rows.select(
                                col("first").cast("long"),
                                col("last").cast("long"),
                                col("cost").cast(doubles ? "double" : "long")))
                        .map(row -> {
                            int i = MatrixInput.index("leaf", row, 0, n);
                            int j = MatrixInput.index("leaf", row, 1, n) + 1;
                            if (j <= i) {
                                throw MatrixInput.invalid(
                                        "a range goes from leaf %,d to leaf %,d; it must not end before it begins"
                                                .formatted(i + 1, j));
                            }
                            return new Costs(
                                    i,
                                    j,
                                    row.isNullAt(2)
                                            ? invalid(i, j)
                                            : doubles ? bits(i, j, row.getDouble(2)) : checked(i, j, row.getLong(2)));
                        }));
    }

    private static long checked(int i, int j, long cost) {
        return cost >= 0 ? cost : invalid(i, j);
    }

    private static long bits(int i, int j, double cost) {
        // this turns -0.0 into 0.0
        return cost >= 0 ? Double.doubleToRawLongBits(cost + 0.0) : invalid(i, j);
    }

    private static long invalid(int i, int j) {
        throw MatrixInput.invalid("%s is NULL, NaN or negative; it must be a nonnegative number".formatted(name(i, j)));
    }

    /** Describes a cell, for error messages. */
    static String name(int i, int j) {
        return j == i + 1
                ? "the cost of leaf %,d".formatted(j)
                : "the weight of the range from leaf %,d to leaf %,d".formatted(i + 1, j);
    }
}
