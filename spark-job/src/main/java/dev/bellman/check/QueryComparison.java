package dev.bellman.check;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Solves instances with the ordinary SQL function, planned by Spark and, on a GPU, by RAPIDS. Tasks generate and solve
 * reference rows as they go, so nothing is stored and no core waits for another.
 */
final class QueryComparison<S extends Enum<S>> extends Comparison<S> {
    /** The number of instances that justifies a task of its own if a few do not take long. */
    private static final int FEW = 64;

    private static final String NUMBER = "number";
    private static final String EXPECTED = "expected";
    private static final int ARGUMENTS = 2;

    private final SparkSession spark;
    private final Solver reference;

    QueryComparison(Lane<S> lane, Sessions sessions) {
        super(lane);
        spark = sessions.of(lane.engine());
        reference = reference(lane, sessions);
    }

    @Override
    Tally compare(Instances instances, long from, long to) {
        Tallies<S> tallies = new Tallies<>(instances, judge());
        Tally tally = new Tally();
        solved(instances, from, to, lane().function().tryName())
                .mapPartitions(tallies::of)
                .collect()
                .forEach(tally::add);
        return tally;
    }

    @Override
    List<String> answers(InternalRow instance) {
        DataType result = lane().signature().result();
        return solved(list(List.of(instance)), 0, 1, lane().function().tryName())
                // not List.of, which Kryo cannot read
                .map(row -> Arrays.asList(
                        SqlText.answer(result, row.isNullAt(2) ? null : row.get(2, result)),
                        SqlText.answer(result, row.isNullAt(1) ? null : row.get(1, result))))
                .collect()
                .get(0);
    }

    /**
     * Solves one instance with the function that throws on rejected rows.
     *
     * @throws BellmanException what the function throws
     */
    void solve(InternalRow instance) {
        solved(list(List.of(instance)), 0, 1, lane().function().name()).count();
    }

    /** Number, expected answer and answer. */
    private JavaRDD<InternalRow> solved(Instances instances, long from, long to, String name) {
        StructType schema = new StructType()
                .add(NUMBER, DataTypes.LongType, false)
                .add(EXPECTED, lane().signature().result());
        Column[] arguments = new Column[lane().types().size()];
        for (int i = 0; i < arguments.length; i++) {
            schema = schema.add("argument_" + i, lane().types().get(i));
            arguments[i] = functions.col("argument_" + i);
        }
        Dataset<Row> rows = ((org.apache.spark.sql.classic.SparkSession) spark)
                .internalCreateDataFrame(rows(instances, from, to).rdd(), schema, false);
        Dataset<Row> solved = rows;
        synchronized (spark) {
            if (lane().reference().inQuery()) {
                configure(spark, lane(), lane().reference().strategy());
                solved = solved.withColumn(EXPECTED, functions.call_function(name, arguments));
            }
            configure(spark, lane(), lane().strategy());
            solved = solved.select(
                    functions.col(NUMBER), functions.col(EXPECTED), functions.call_function(name, arguments));
        }
        var execution = ((org.apache.spark.sql.classic.Dataset<Row>) solved).queryExecution();
        String plan = execution.executedPlan().toString();
        boolean onGpu = plan.contains("gpu_" + name + "(")
                && !plan.toLowerCase(Locale.ROOT).contains("cpubridge");
        if (onGpu != (lane().engine() == Engine.GPU)) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_GPU_REQUIRED,
                    "%s is checked on the %s, but Spark would not run it there. The plan is:%n%s"
                            .formatted(name, lane().engine(), plan.strip()));
        }
        return execution.toRdd().toJavaRDD();
    }

    private JavaRDD<InternalRow> rows(Instances instances, long from, long to) {
        JavaSparkContext context = new JavaSparkContext(spark.sparkContext());
        long worth = lane().sizes().size() > FEW ? to - from : (to - from) / FEW + 1;
        int tasks = (int) Math.min(worth, context.defaultParallelism());
        List<Long> firsts = LongStream.rangeClosed(0, tasks)
                .mapToObj(task -> from + (to - from) * task / tasks)
                .toList();
        List<List<Long>> ranges = IntStream.range(0, tasks)
                .mapToObj(task -> firsts.subList(task, task + 2))
                .map(ArrayList::new)
                .map(range -> (List<Long>) range)
                .toList();
        Source<S> source = new Source<>(instances, reference, judge());
        return context.parallelize(ranges, Math.max(1, tasks)).mapPartitions(source::rows);
    }

    /** Rows: the number, the reference answer and the arguments. */
    private record Source<S extends Enum<S>>(Instances instances, Solver reference, Judge<S> judge)
            implements Serializable {
        Iterator<InternalRow> rows(Iterator<List<Long>> ranges) {
            List<Long> range = ranges.next();
            return LongStream.range(range.get(0), range.get(1))
                    .mapToObj(this::row)
                    .filter(Objects::nonNull)
                    .iterator();
        }

        /** Null for an instance that the strategy or the reference strategy does not accept. */
        private InternalRow row(long number) {
            InternalRow arguments = instances.instance(number);
            if (!judge.serves(arguments)) {
                return null;
            }
            Object[] values = new Object[ARGUMENTS + arguments.numFields()];
            values[0] = number;
            values[1] = reference.solve(arguments);
            for (int i = 0; i < arguments.numFields(); i++) {
                values[ARGUMENTS + i] = ((GenericInternalRow) arguments).genericGet(i);
            }
            return new GenericInternalRow(values);
        }
    }

    /** Counts right and wrong answers. */
    private record Tallies<S extends Enum<S>>(Instances instances, Judge<S> judge) implements Serializable {
        Iterator<Tally> of(Iterator<InternalRow> rows) {
            Tally tally = new Tally();
            while (rows.hasNext()) {
                InternalRow row = rows.next();
                Object expected = row.isNullAt(1) ? null : row.get(1, judge.type());
                Object answer = row.isNullAt(2) ? null : row.get(2, judge.type());
                long number = row.getLong(0);
                tally.add(number, answer == null, !judge.isRight(() -> instances.instance(number), expected, answer));
            }
            return List.of(tally).iterator();
        }
    }
}
