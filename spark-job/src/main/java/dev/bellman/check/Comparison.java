package dev.bellman.check;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.Strategies;
import dev.bellman.entry.StrategyTraits;
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
 * Solves the instances of a lane with the ordinary SQL function, planned by Spark and, on a GPU, by RAPIDS, and
 * compares the answers. Tasks generate and solve reference rows as they go, so nothing is stored and no core waits for
 * another.
 */
final class Comparison<S extends Enum<S>> {
    /** Tasks per core for many instances: some tasks are slower than others. */
    private static final int TASKS = 3;

    /** The number of instances that justifies a task of its own if a few do not take long. */
    private static final int FEW = 64;

    private static final String NUMBER = "number";
    private static final String EXPECTED = "expected";
    private static final int ARGUMENTS = 2;

    private final Lane<S> lane;
    private final SparkSession spark;
    private final Solver reference;

    Comparison(Lane<S> lane, Sessions sessions) {
        this.lane = lane;
        spark = sessions.of(lane.engine());
        reference = lane.reference().strategy() == null
                ? Solver.of(lane.signature().oracle())
                : solver(sessions, lane.reference().strategy(), lane.function().tryName());
    }

    /** The lane's function with another strategy, on the calling thread. */
    Solver solver(Sessions sessions, S strategy, String name) {
        SparkSession session = sessions.of(Engine.CPU);
        configure(session, strategy);
        StructType schema = new StructType();
        for (int i = 0; i < lane.types().size(); i++) {
            schema = schema.add(argument(i), lane.types().get(i));
        }
        return Solver.of(session.createDataFrame(List.of(), schema), name);
    }

    private void configure(SparkSession session, S strategy) {
        session.conf().set(lane.function().problem().strategyKey(), Strategies.name(strategy));
    }

    private static String argument(int index) {
        return "argument_" + index;
    }

    /** Instances by number: those of a stream, or a list of chosen ones. */
    private interface Instances extends Serializable {
        InternalRow instance(long number);
    }

    /** Compares instances {@code from} to {@code to - 1} of the lane's stream. */
    Tally compare(long from, long to) {
        return compare(lane.stream()::instance, from, to);
    }

    /** Compares chosen instances. */
    Tally compare(List<InternalRow> chosen) {
        return compare(list(chosen), 0, chosen.size());
    }

    private static Instances list(List<InternalRow> chosen) {
        InternalRow[] rows = chosen.toArray(InternalRow[]::new);
        return number -> rows[(int) number];
    }

    private Tally compare(Instances instances, long from, long to) {
        Judge<S> judge = new Judge<>(
                instances,
                lane.signature().result(),
                lane.function().traits(),
                lane.strategy(),
                lane.strategy() == lane.reference().strategy()
                        || lane.function().traits().answersAsDefined(lane.strategy()));
        Tally tally = new Tally();
        answers(instances, from, to).mapPartitions(judge::tally).collect().forEach(tally::add);
        return tally;
    }

    /** The answers of the lane's strategy and of its reference to an instance, as text. */
    List<String> answers(InternalRow instance) {
        DataType result = lane.signature().result();
        return answers(list(List.of(instance)), 0, 1)
                // not List.of, which Kryo cannot read
                .map(row -> Arrays.asList(
                        SqlText.answer(result, row.isNullAt(2) ? null : row.get(2, result)),
                        SqlText.answer(result, row.isNullAt(1) ? null : row.get(1, result))))
                .collect()
                .get(0);
    }

    /** Number, expected answer and answer. */
    private JavaRDD<InternalRow> answers(Instances instances, long from, long to) {
        return solved(instances, from, to, lane.function().tryName());
    }

    /**
     * Solves one instance with the function that throws on rejected rows.
     *
     * @throws BellmanException what the function throws
     */
    void solve(InternalRow instance) {
        solved(list(List.of(instance)), 0, 1, lane.function().name()).count();
    }

    private JavaRDD<InternalRow> solved(Instances instances, long from, long to, String name) {
        StructType schema = new StructType()
                .add(NUMBER, DataTypes.LongType, false)
                .add(EXPECTED, lane.signature().result());
        Column[] arguments = new Column[lane.types().size()];
        for (int i = 0; i < arguments.length; i++) {
            schema = schema.add(argument(i), lane.types().get(i));
            arguments[i] = functions.col(argument(i));
        }
        Dataset<Row> rows = ((org.apache.spark.sql.classic.SparkSession) spark)
                .internalCreateDataFrame(rows(instances, from, to).rdd(), schema, false);
        configure(spark, lane.strategy());
        Dataset<Row> solved =
                rows.select(functions.col(NUMBER), functions.col(EXPECTED), functions.call_function(name, arguments));
        var execution = ((org.apache.spark.sql.classic.Dataset<Row>) solved).queryExecution();
        String plan = execution.executedPlan().toString();
        boolean onGpu = plan.contains("gpu_" + name + "(")
                && !plan.toLowerCase(Locale.ROOT).contains("cpubridge");
        if (onGpu != (lane.engine() == Engine.GPU)) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_GPU_REQUIRED,
                    "%s is checked on the %s, but Spark would not run it there. The plan is:%n%s"
                            .formatted(name, lane.engine(), plan.strip()));
        }
        return execution.toRdd().toJavaRDD();
    }

    private JavaRDD<InternalRow> rows(Instances instances, long from, long to) {
        JavaSparkContext context = new JavaSparkContext(spark.sparkContext());
        long worth = lane.sizes().size() > FEW ? to - from : (to - from) / FEW + 1;
        int tasks = (int) Math.min(worth, (long) TASKS * context.defaultParallelism());
        List<Long> firsts = LongStream.rangeClosed(0, tasks)
                .mapToObj(task -> from + (to - from) * task / tasks)
                .toList();
        List<List<Long>> ranges = IntStream.range(0, tasks)
                .mapToObj(task -> firsts.subList(task, task + 2))
                .map(ArrayList::new)
                .map(range -> (List<Long>) range)
                .toList();
        Source<S> source = new Source<>(
                instances,
                reference,
                lane.function().traits(),
                lane.strategy(),
                lane.reference().strategy());
        return context.parallelize(ranges, Math.max(1, tasks)).mapPartitions(source::rows);
    }

    /** Rows: the number, the reference answer and the arguments. */
    private record Source<S extends Enum<S>>(
            Instances instances, Solver reference, StrategyTraits<S> traits, S strategy, S other)
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
            if (!traits.serves(strategy, arguments) || other != null && !traits.serves(other, arguments)) {
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

    /** Tells right answers from wrong ones. */
    private record Judge<S extends Enum<S>>(
            Instances instances, DataType type, StrategyTraits<S> traits, S strategy, boolean exact)
            implements Serializable {
        Iterator<Tally> tally(Iterator<InternalRow> rows) {
            Tally tally = new Tally();
            while (rows.hasNext()) {
                InternalRow row = rows.next();
                Object expected = row.isNullAt(1) ? null : row.get(1, type);
                Object answer = row.isNullAt(2) ? null : row.get(2, type);
                long number = row.getLong(0);
                tally.add(number, answer == null, !isRight(number, expected, answer));
            }
            return List.of(tally).iterator();
        }

        private boolean isRight(long number, Object expected, Object answer) {
            if (exact || expected == null || answer == null) {
                return Answers.equal(type, expected, answer);
            }
            return traits.isRight(strategy, instances.instance(number), expected, answer);
        }
    }
}
