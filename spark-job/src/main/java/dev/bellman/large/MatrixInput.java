package dev.bellman.large;

import static org.apache.spark.sql.functions.greatest;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.job.input.Argument;
import dev.bellman.job.input.Condition;
import dev.bellman.job.input.InputFiles;
import dev.bellman.job.input.InputReader;
import dev.bellman.job.spec.Job;
import dev.bellman.job.spec.JobKeys;
import dev.bellman.job.spec.OnBadRow;
import dev.bellman.large.file.MatrixFile;
import dev.bellman.large.file.MatrixStrip;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.Path;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.IntegralType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.util.SerializableConfiguration;
import org.apache.spark.util.TaskCompletionListener;

/**
 * The entries of one large matrix or of its right-hand side, as read from the input of a job: rows of a table, or a
 * MatrixMarket file. Rows and columns are numbered from 1 in the input, but from 0 in this class.
 *
 * @param rows the number of rows
 * @param columns the number of columns
 * @param isComplete whether the input contains every entry; otherwise, entries that are missing are zero
 */
record MatrixInput(int rows, int columns, boolean isComplete, JavaRDD<MatrixStrip> strips) {
    /** The columns of an input in which each row contains a row of the matrix. */
    static final List<String> BY_ROWS = List.of("row", "entries");

    /** The columns of an input in which each row contains one entry of the matrix. */
    static final List<String> BY_ENTRIES = List.of("row", "column", "value");

    /** The columns of an input in which each row contains a row of the right-hand side. */
    static final List<String> OF_RHS = List.of("row", "rhs");

    /** The maximum number of rows of the matrix. A table of this size takes 8 TiB. */
    private static final int MAX_ROWS = 1 << 20;

    /** Reads the data that determines the size of the matrix: the row and column numbers, or the header of a file. */
    static MatrixInput ofMatrix(SparkSession spark, Job job, Consumer<String> notes) {
        if (job.input().isInstanceFile()) {
            MatrixInput found = ofFile(spark, job.input());
            if (found.rows != found.columns) {
                throw invalid("the matrix has %,d rows and %,d columns; it must be square"
                        .formatted(found.rows, found.columns));
            }
            return found;
        }
        Dataset<Row> rows = Condition.select(InputReader.read(spark, job.input(), OnBadRow.FAIL, notes), job);
        List<String> arguments = job.get(JobKeys.ARGUMENTS);
        return arguments.size() == BY_ROWS.size() ? byRows(job, rows, arguments) : byEntries(job, rows, arguments);
    }

    /** Reads the right-hand side of a matrix. */
    static MatrixInput ofRhs(SparkSession spark, Job job, Job.Source source, int n, Consumer<String> notes) {
        MatrixInput found = source.isInstanceFile()
                ? ofFile(spark, source)
                : vector(job, InputReader.read(spark, source, OnBadRow.FAIL, notes), job.get(MatrixKind.RHS_ARGUMENTS));
        if (found.rows != n || found.columns != 1) {
            throw invalid("the right-hand side has %,d rows and %,d columns; it must have one column and %,d rows"
                    .formatted(found.rows, found.columns, n));
        }
        return new MatrixInput(
                n,
                1,
                found.isComplete,
                found.strips.map(strip -> new MatrixStrip(strip.row(), n + strip.column(), strip.values())));
    }

    private static MatrixInput ofFile(SparkSession spark, Job.Source source) {
        List<Path> files = InputFiles.of(source, spark.sparkContext().hadoopConfiguration())
                .files();
        if (files.size() != 1) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_READ,
                    "found %d files; in this format, a matrix or right-hand side must be a single file"
                            .formatted(files.size()));
        }
        JavaSparkContext context = new JavaSparkContext(spark.sparkContext());
        Broadcast<SerializableConfiguration> hadoop =
                context.broadcast(new SerializableConfiguration(context.hadoopConfiguration()));
        JavaRDD<MatrixStrip> strips = context.parallelize(List.of(files.get(0).toString()), 1)
                .flatMap(path -> {
                    MatrixFile file = new MatrixFile(hadoop.value().value(), new Path(path));
                    TaskContext.get().addTaskCompletionListener((TaskCompletionListener) task -> file.close());
                    return file;
                });
        try (MatrixFile file = new MatrixFile(context.hadoopConfiguration(), files.get(0))) {
            return checked(file.rows(), file.columns(), file.isComplete(), strips);
        }
    }

    private static MatrixInput byRows(Job job, Dataset<Row> input, List<String> arguments) {
        Dataset<Row> rows = select(job, input, arguments, BY_ROWS);
        DataType entries = rows.schema().fields()[1].dataType();
        mustBeWhole(rows, arguments, 0, "row");
        if (!(entries instanceof ArrayType array) || !(array.elementType() instanceof NumericType)) {
            throw schema(arguments.get(1), entries, "an array of numbers, the entries of one row of the matrix");
        }
        int n = count(rows.agg(max(rows.col("row"))), "rows");
        JavaRDD<MatrixStrip> strips = internal(rows.select(
                        rows.col("row").cast("long"), rows.col("entries").cast("array<double>")))
                .map(row -> {
                    int index = index("row", row, 0, n);
                    if (row.isNullAt(1)) {
                        throw invalid("row %,d of the matrix is NULL; it must be an array".formatted(index + 1));
                    }
                    ArrayData values = row.getArray(1);
                    if (values.numElements() != n) {
                        throw invalid("row %,d has %,d entries; it must have %,d, the number of rows in the matrix"
                                .formatted(index + 1, values.numElements(), n));
                    }
                    for (int j = 0; j < n; j++) {
                        mustBeFinite(index, j, values.isNullAt(j) ? Double.NaN : values.getDouble(j));
                    }
                    return new MatrixStrip(index, 0, values.toDoubleArray());
                });
        return checked(n, n, true, strips);
    }

    private static MatrixInput byEntries(Job job, Dataset<Row> input, List<String> arguments) {
        Dataset<Row> rows = select(job, input, arguments, BY_ENTRIES);
        mustBeWhole(rows, arguments, 0, "row");
        mustBeWhole(rows, arguments, 1, "column");
        mustBeNumber(rows, arguments, 2);
        int n = count(
                rows.agg(greatest(
                        max(rows.col("row").cast("long")),
                        max(rows.col("column").cast("long")))),
                "rows");
        return checked(n, n, false, entries(rows, n, n));
    }

    private static MatrixInput vector(Job job, Dataset<Row> input, List<String> arguments) {
        Dataset<Row> rows = select(job, input, arguments, OF_RHS);
        mustBeWhole(rows, arguments, 0, "row");
        mustBeNumber(rows, arguments, 1);
        int n = count(rows.agg(max(rows.col("row"))), "rows");
        Dataset<Row> placed = rows.select(
                rows.col("row"), lit(1L).as("column"), rows.col("rhs").as("value"));
        return checked(n, 1, true, entries(placed, n, 1));
    }

    private static JavaRDD<MatrixStrip> entries(Dataset<Row> rows, int maxRows, int maxColumns) {
        return internal(rows.select(
                        rows.col("row").cast("long"),
                        rows.col("column").cast("long"),
                        rows.col("value").cast("double")))
                .map(row -> {
                    int i = index("row", row, 0, maxRows);
                    int j = index("column", row, 1, maxColumns);
                    double value = row.isNullAt(2) ? Double.NaN : row.getDouble(2);
                    mustBeFinite(i, j, value);
                    return new MatrixStrip(i, j, new double[] {value});
                });
    }

    /** Returns the arguments as columns that have these names. */
    static Dataset<Row> select(Job job, Dataset<Row> input, List<String> arguments, List<String> names) {
        return input.select(IntStream.range(0, names.size())
                .mapToObj(i -> Argument.of(job, input, arguments.get(i)).as(names.get(i)))
                .toArray(Column[]::new));
    }

    static JavaRDD<InternalRow> internal(Dataset<Row> rows) {
        return rows.queryExecution().toRdd().toJavaRDD();
    }

    /** @param what the thing that the integers count, such as {@code row}; used in the message */
    static void mustBeWhole(Dataset<Row> rows, List<String> arguments, int at, String what) {
        DataType type = rows.schema().fields()[at].dataType();
        if (!(type instanceof IntegralType)) {
            throw schema(
                    arguments.get(at),
                    type,
                    ("an integer, the 1-based number of the %s; for strings, use CAST(%s AS BIGINT) or, for "
                                    + "CSV and TSV, set the input option inferSchema: true")
                            .formatted(what, arguments.get(at)));
        }
    }

    static void mustBeNumber(Dataset<Row> rows, List<String> arguments, int at) {
        DataType type = rows.schema().fields()[at].dataType();
        if (!(type instanceof NumericType)) {
            throw schema(
                    arguments.get(at),
                    type,
                    ("a number; for strings, use CAST(%s AS DOUBLE) or, for CSV and TSV, set the input option "
                                    + "inferSchema: true")
                            .formatted(arguments.get(at)));
        }
    }

    static BellmanException schema(String argument, DataType type, String expected) {
        return new BellmanException(
                ErrorCode.BELLMAN_INPUT_SCHEMA,
                "the argument '%s' is of type %s; it must be %s".formatted(argument, type.sql(), expected));
    }

    /**
     * Returns the largest number of a row, column or leaf, and checks that it is from 1 to {@link #MAX_ROWS}.
     *
     * @param what what is numbered, such as {@code rows}; used in the message
     */
    static int count(Dataset<Row> aggregated, String what) {
        Row row = aggregated.first();
        return checkedCount(row.isNullAt(0) ? 0 : ((Number) row.get(0)).longValue(), what);
    }

    private static MatrixInput checked(int rows, int columns, boolean complete, JavaRDD<MatrixStrip> strips) {
        checkedCount(rows, "rows");
        checkedCount(columns, "columns");
        return new MatrixInput(rows, columns, complete, strips);
    }

    private static int checkedCount(long count, String what) {
        if (count < 1) {
            throw invalid("the input has no %1$s numbered 1 or higher; %1$s are numbered from 1".formatted(what));
        }
        if (count > MAX_ROWS) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT, "the input has %,d %s; the limit is %,d".formatted(count, what, MAX_ROWS));
        }
        return (int) count;
    }

    static int index(String what, InternalRow row, int at, int most) {
        if (row.isNullAt(at) || row.getLong(at) < 1 || row.getLong(at) > most) {
            throw invalid("a %s number is %s; it must be from 1 to %,d"
                    .formatted(what, row.isNullAt(at) ? "NULL" : row.getLong(at), most));
        }
        return (int) row.getLong(at) - 1;
    }

    private static void mustBeFinite(int row, int column, double value) {
        if (!(Math.abs(value) <= Double.MAX_VALUE)) {
            throw invalid(("the entry in row %,d, column %,d of the matrix or right-hand side is NULL, NaN or "
                            + "infinite; it must be a finite number")
                    .formatted(row + 1, column + 1));
        }
    }

    static BellmanException invalid(String what) {
        return new BellmanException(ErrorCode.BELLMAN_INPUT_VALUE, what + ". Correct the input");
    }
}
