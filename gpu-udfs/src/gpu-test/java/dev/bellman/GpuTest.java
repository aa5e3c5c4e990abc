package dev.bellman;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.function.BellmanExtensions;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * The base class of GPU tests: they use a Spark session with RAPIDS, which all such tests in the process share, and
 * fail if there is no GPU. RAPIDS needs the class loader of spark-submit, so {@code submit/gpu-tests} runs these tests
 * in spark-submit.
 */
@Tag("gpu")
public abstract class GpuTest {
    /** The schema of pairs for {@link #texts}. */
    protected static final StructType BYTES =
            new StructType().add("a", DataTypes.BinaryType).add("b", DataTypes.BinaryType);

    /** The maximum number of rows of a dataset, for tools that slow kernels down, such as compute-sanitizer. */
    private static final int MAX_ROWS = Integer.getInteger("bellman.test.rows", Integer.MAX_VALUE);

    private static SparkSession session;

    @BeforeAll
    static void startSession() throws InterruptedException {
        assertThat(hasGpu())
                .as("nvidia-smi finds a GPU, which tests tagged gpu need")
                .isTrue();
        spark();
    }

    private static boolean hasGpu() throws InterruptedException {
        try {
            return new ProcessBuilder("nvidia-smi", "-L")
                            .redirectErrorStream(true)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    protected static synchronized SparkSession spark() {
        if (session == null) {
            // allows spark.rapids.sql.test.injectRetryOOM
            System.setProperty("com.nvidia.spark.rapids.runningTests", "true");
            session = SparkSession.builder()
                    .master("local[*]")
                    .config("spark.plugins", "com.nvidia.spark.SQLPlugin")
                    .config("spark.sql.extensions", BellmanExtensions.class.getName())
                    .config("spark.rapids.memory.gpu.minAllocFraction", "0.01")
                    .config("spark.rapids.memory.pinnedPool.size", "1g")
                    .config("spark.sql.shuffle.partitions", "4")
                    .config("spark.ui.enabled", false)
                    .getOrCreate();
        }
        return session;
    }

    /** Returns rows from an RDD, because the optimizer could evaluate a query on a small local table itself. */
    protected static Dataset<Row> rows(StructType schema, int partitions, List<Row> rows) {
        return spark().createDataFrame(
                        new JavaSparkContext(spark().sparkContext()).parallelize(some(rows), partitions), schema);
    }

    /** Returns rows of a single column {@code v}, which contains arrays of this type. */
    protected static Dataset<Row> series(DataType type, List<Object> arrays) {
        return rows(
                new StructType().add("v", DataTypes.createArrayType(type)),
                3,
                arrays.stream()
                        .map(each -> RowFactory.create(new Object[] {each}))
                        .toList());
    }

    /** Returns rows of Catalyst values. */
    protected static Dataset<Row> instances(StructType schema, int partitions, Stream<InternalRow> instances) {
        return rows(
                schema,
                partitions,
                instances
                        .map(each -> (Row) CatalystTypeConverters.convertToScala(each, schema))
                        .toList());
    }

    /** Returns at most {@link #MAX_ROWS} of the rows, evenly spaced; the last row is always among them. */
    private static List<Row> some(List<Row> rows) {
        if (rows.size() <= MAX_ROWS) {
            return rows;
        }
        return IntStream.rangeClosed(1, MAX_ROWS)
                .mapToObj(i -> rows.get((int) ((long) i * rows.size() / MAX_ROWS) - 1))
                .toList();
    }

    /**
     * Returns rows whose binary columns become strings, which may contain bytes that are not valid UTF-8. The rows are
     * in a single partition, because a shuffle may order several partitions arbitrarily.
     */
    protected static Dataset<Row> texts(StructType schema, List<Row> rows) {
        String[] columns = Arrays.stream(schema.fields())
                .map(column -> column.dataType().equals(DataTypes.BinaryType)
                        ? "cast(%1$s as string) %1$s".formatted(column.name())
                        : column.name())
                .toArray(String[]::new);
        return rows(schema, 1, rows).selectExpr(columns).repartition(1);
    }

    /**
     * Returns random rows.
     *
     * @param most the maximum size of a row
     * @param row creates a row of a given size
     */
    protected static Dataset<Row> random(
            StructType schema, long seed, int count, int most, BiFunction<SplittableRandom, Integer, Row> row) {
        SplittableRandom random = new SplittableRandom(seed);
        return rows(
                schema,
                3,
                Stream.generate(() -> row.apply(random, random.nextInt(most + 1)))
                        .limit(count)
                        .toList());
    }

    /** Returns the name of the called function. */
    protected static String function(String call) {
        return call.substring(0, call.indexOf('('));
    }

    /** Asserts that a call has the same results on the GPU, where it must run, and on the CPU. */
    protected static void assertSameAsOnCpu(Dataset<Row> input, String call) {
        assertSameAsOnCpu(function(call), input, call);
    }

    /**
     * Asserts that an expression with the function has the same results on the GPU, where it must run, and on the CPU.
     */
    protected static void assertSameAsOnCpu(String function, Dataset<Row> input, String expression) {
        Dataset<Row> onGpu = input.selectExpr(expression);
        List<Row> actual = onGpu.collectAsList();
        String plan = onGpu.queryExecution().executedPlan().toString();
        assertThat(plan).contains("gpu_" + function + "(").doesNotContainIgnoringCase("cpubridge");
        assertThat(actual)
                .as(expression)
                .isEqualTo(withConf("spark.rapids.sql.enabled", "false", () -> input.selectExpr(expression)
                        .collectAsList()));
    }

    /**
     * Returns the error message of an expression; empty if the expression does not fail, or if the error is not
     * Bellman's.
     */
    protected static String failure(Dataset<Row> input, String expression) {
        try {
            input.selectExpr(expression).collectAsList();
            return "";
        } catch (Exception e) {
            // Scala throws Spark's checked exception without declaring it
            return BellmanException.in(e).map(Throwable::getMessage).orElse("");
        }
    }

    /** Asserts that the error message of an expression is the same on the GPU and on the CPU. */
    protected static AbstractStringAssert<?> assertSameFailure(Dataset<Row> input, String expression) {
        return assertThat(failure(input, expression))
                .as(expression)
                .isEqualTo(withConf("spark.rapids.sql.enabled", "false", () -> failure(input, expression)));
    }

    /** Asserts that a call rejects each of these rows, after other rows, with the same message as on the CPU. */
    protected static void assertRejected(StructType schema, String call, List<Row> others, Row... rejected) {
        for (Row last : rejected) {
            List<Row> rows = Stream.concat(others.stream(), Stream.of(last)).toList();
            assertSameFailure(rows(schema, 1, rows), call).isNotEmpty();
        }
    }

    /** Runs an action with one changed setting of the session. */
    protected static void withConf(String key, String value, Runnable action) {
        withConf(key, value, () -> {
            action.run();
            return null;
        });
    }

    /** Computes a result with one changed setting of the session. */
    protected static <T> T withConf(String key, String value, Supplier<T> action) {
        String before = spark().conf().get(key, null);
        spark().conf().set(key, value);
        try {
            return action.get();
        } finally {
            if (before == null) {
                spark().conf().unset(key);
            } else {
                spark().conf().set(key, before);
            }
        }
    }
}
