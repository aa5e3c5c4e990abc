package dev.bellman.large;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.job.input.Argument;
import dev.bellman.job.input.Condition;
import dev.bellman.job.input.InputReader;
import dev.bellman.job.spec.Job;
import dev.bellman.job.spec.JobKeys;
import dev.bellman.job.spec.OnBadRow;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.IntegralType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** The arguments of a job whose input is a single row: strings, integers, and arrays of integers. */
final class OneRow {
    private final String problem;
    private final StructType names;
    private final InternalRow row;

    private OneRow(String problem, StructType names, InternalRow row) {
        this.problem = problem;
        this.names = names;
        this.row = row;
    }

    /**
     * Reads the input of a job.
     *
     * @param names the names of the arguments, and the types to which they are cast
     */
    static OneRow read(SparkSession spark, Job job, StructType names, Consumer<String> notes) {
        String problem = job.get(JobKeys.PROBLEM).name();
        Dataset<Row> input = Condition.select(InputReader.read(spark, job.input(), OnBadRow.FAIL, notes), job);
        List<String> arguments = job.get(JobKeys.ARGUMENTS);
        Dataset<Row> given = input.select(IntStream.range(0, names.size())
                .mapToObj(i -> Argument.of(job, input, arguments.get(i)).as(names.fields()[i].name()))
                .toArray(Column[]::new));
        for (int i = 0; i < names.size(); i++) {
            checkType(arguments.get(i), given.schema().fields()[i].dataType(), names.fields()[i]);
        }
        Dataset<Row> cast = given.select(IntStream.range(0, names.size())
                .mapToObj(i -> given.col(names.fields()[i].name())
                        .cast(names.fields()[i].dataType())
                        .as(names.fields()[i].name()))
                .toArray(Column[]::new));
        List<InternalRow> rows = cast.limit(2)
                .queryExecution()
                .toRdd()
                .toJavaRDD()
                .map(InternalRow::copy)
                .collect();
        if (rows.size() != 1) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_VALUE,
                    ("%s: the input has %s; it must have exactly one row. Choose a row with input.where, or set "
                                    + "problem to a function that solves each row")
                            .formatted(problem, rows.isEmpty() ? "no rows" : "several rows"));
        }
        return new OneRow(problem, names, rows.get(0));
    }

    private static void checkType(String argument, DataType found, StructField expected) {
        boolean fits = expected.dataType() instanceof ArrayType
                ? found instanceof ArrayType list && list.elementType() instanceof IntegralType
                : expected.dataType() instanceof StringType
                        ? found instanceof StringType
                        : found instanceof IntegralType;
        if (!fits) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_SCHEMA,
                    "the argument '%s' (%s) is of type %s; it must be %s. Cast it to this type"
                            .formatted(
                                    argument,
                                    expected.name(),
                                    found.sql(),
                                    expected.dataType().sql()));
        }
    }

    private int at(String name) {
        int at = names.fieldIndex(name);
        if (row.isNullAt(at)) {
            throw invalid("%s is NULL".formatted(name));
        }
        return at;
    }

    /** Whether there is an argument that has this name. */
    boolean has(String name) {
        return List.of(names.fieldNames()).contains(name);
    }

    /** Returns a string argument as UTF-8. */
    byte[] text(String name) {
        return row.getUTF8String(at(name)).getBytes();
    }

    long number(String name) {
        return row.getLong(at(name));
    }

    /** Returns the elements of an array argument. */
    long[] longs(String name) {
        ArrayData values = row.getArray(at(name));
        for (int i = 0; i < values.numElements(); i++) {
            if (values.isNullAt(i)) {
                throw invalid("entry %d of %s (counted from 1) is NULL".formatted(i + 1, name));
            }
        }
        return values.toLongArray();
    }

    private BellmanException invalid(String what) {
        return new BellmanException(
                ErrorCode.BELLMAN_INPUT_VALUE, "%s: %s. Correct the input".formatted(problem, what));
    }
}
