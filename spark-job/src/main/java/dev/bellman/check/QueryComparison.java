package dev.bellman.check;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.proof.Proofs;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.apache.commons.lang3.StringUtils;
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
 * Solves the instances of a stream with the ordinary SQL function, planned by Spark and, on a GPU, by RAPIDS. A single
 * query has a column of answers for each lane's strategy. The query is planned once. Each batch only sends the numbers
 * of the instances to its tasks. Tasks that generate instances also solve them with the reference, so that no core
 * waits for another. They keep only the reference's answers, because a query returns its rows in order.
 */
final class QueryComparison<S extends Enum<S>> extends Comparison<S> {
    /** The number of small instances that justify a separate task. */
    private static final int FEW = 256;

    /** The maximum size of a small instance. */
    private static final int SMALL = 64;

    private static final String NUMBER = "number";

    private final List<Lane<S>> lanes;
    private final SparkSession spark;
    private final String name;
    private final Batch<S> batch;
    private final JavaRDD<InternalRow> solved;

    /**
     * Plans the query.
     *
     * @param lanes the lanes, which share one stream and one engine
     * @param name the function, or its {@code try_} variant
     * @param textbook whether the oracle also solves some of the instances
     */
    QueryComparison(List<Lane<S>> lanes, String name, boolean textbook, Sessions sessions) {
        super(lanes.get(0));
        this.lanes = lanes;
        this.name = name;
        spark = sessions.of(lanes.get(0).engine());
        batch = new Batch<>(lanes, textbook, sessions);
        solved = planned();
    }

    @Override
    List<Tally> compare(Instances instances, long from, long to) {
        Compared all = new Compared(lanes.size());
        for (List<Compared> found : run(solved.mapPartitions(batch::compared), instances, from, to)) {
            found.forEach(all::add);
        }
        batch.adapt(all);
        return all.tallies;
    }

    /** @throws BellmanException any exception of the function, unless the name is the {@code try_} variant */
    @Override
    List<String> answers(InternalRow instance) {
        return run(solved.mapPartitions(batch::texts), list(List.of(instance)), 0, 1)[0];
    }

    private <T> List<T>[] run(JavaRDD<T> results, Instances instances, long from, long to) {
        long worth = lanes.get(0).sizes().size() > SMALL ? to - from : (to - from) / FEW;
        int tasks = (int) Math.max(1, Math.min(worth, results.getNumPartitions()));
        batch.begin(instances, from, to, tasks);
        return results.collectPartitions(IntStream.range(0, tasks).toArray());
    }

    /** Returns rows with the number of an instance and the answer of each lane. */
    private JavaRDD<InternalRow> planned() {
        JavaSparkContext context = new JavaSparkContext(spark.sparkContext());
        List<Integer> tasks = new ArrayList<>();
        IntStream.range(0, context.defaultParallelism()).forEach(tasks::add);
        JavaRDD<InternalRow> rows = context.parallelize(tasks, tasks.size()).mapPartitions(batch::rows);
        List<DataType> types = lanes.get(0).types();
        StructType schema = new StructType().add(NUMBER, DataTypes.LongType, false);
        for (int i = 0; i < types.size(); i++) {
            schema = schema.add(argument(i), types.get(i));
        }
        for (int k = 0; k < lanes.size(); k++) {
            schema = batch.limited[k] ? schema.add(firstOf(k), types.get(0)) : schema;
        }
        Dataset<Row> answered =
                ((org.apache.spark.sql.classic.SparkSession) spark).internalCreateDataFrame(rows.rdd(), schema, false);
        Column[] results = new Column[1 + lanes.size()];
        results[0] = functions.col(NUMBER);
        synchronized (spark) {
            for (int k = 0; k < lanes.size(); k++) {
                configure(spark, lanes.get(k), lanes.get(k).strategy());
                Column[] arguments = new Column[types.size()];
                Arrays.setAll(arguments, i -> functions.col(argument(i)));
                arguments[0] = batch.limited[k] ? functions.col(firstOf(k)) : arguments[0];
                answered = answered.withColumn("answer_" + k, functions.call_function(name, arguments));
                results[1 + k] = functions.col("answer_" + k);
            }
        }
        var execution = ((org.apache.spark.sql.classic.Dataset<Row>) answered.select(results)).queryExecution();
        checkEngine(execution.executedPlan().toString());
        return execution.toRdd().toJavaRDD();
    }

    private static String argument(int index) {
        return "argument_" + index;
    }

    /** Returns the first argument for a limited strategy, which is NULL for instances beyond the strategy's limits. */
    private static String firstOf(int lane) {
        return "argument_0_of_" + lane;
    }

    private void checkEngine(String plan) {
        Engine engine = lanes.get(0).engine();
        int onGpu = StringUtils.countMatches(plan, "gpu_" + name + "(");
        boolean bridged = plan.toLowerCase(Locale.ROOT).contains("cpubridge");
        if (engine == Engine.GPU ? onGpu < lanes.size() || bridged : onGpu > 0) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_GPU_REQUIRED,
                    "the check is for %s on the %s, but Spark would not run the function there. The plan is:%n%s"
                            .formatted(name, engine, plan.strip()));
        }
    }

    /** The result of a task. A class with plain fields, because Kryo cannot serialize records. */
    private static final class Compared implements Serializable {
        private static final long serialVersionUID = 1L;

        private ArrayList<Tally> tallies;
        private long rows;
        private long nanos;
        private long byTextbook;
        private long nanosOfTextbook;

        Compared(int lanes) {
            tallies = new ArrayList<>(Tally.some(lanes));
        }

        void add(Compared other) {
            Tally.add(tallies, other.tallies);
            rows += other.rows;
            nanos += other.nanos;
            byTextbook += other.byTextbook;
            nanosOfTextbook += other.nanosOfTextbook;
        }
    }

    /**
     * The expected answers for an instance.
     *
     * @param lanes the lanes that solve it, as bits
     * @param answers one for each necessary reference
     * @param byTextbook whether the oracle has solved the instance
     */
    private record Expected(long number, long lanes, Object[] answers, boolean byTextbook, Object textbook) {}

    /**
     * The instances of the current batch, and the data that a task keeps about them until their answers arrive. In each
     * task's copy, {@link #rows} feeds the query and {@link #compared} consumes its results.
     */
    private static final class Batch<S extends Enum<S>> implements Serializable {
        private static final long serialVersionUID = 1L;

        private final ArrayList<Judge<S>> judges = new ArrayList<>();
        private final ArrayList<Judge<S>> judgesByTextbook = new ArrayList<>();
        private final ArrayList<Solver> references = new ArrayList<>();
        /** The index of each lane's reference. */
        private final int[] reference;

        private final boolean[] limited;
        private final int arguments;
        /** The number of columns: the number, the arguments, and the first argument of each limited strategy. */
        private final int columns;

        private final Solver textbook;
        /** The interval of instances that the oracle solves. */
        private long every = 8;

        private Instances instances;
        private long from;
        private long to;
        private int tasks;

        private transient Queue<Expected> expected;
        private transient long start;
        private transient long byTextbook;
        private transient long nanosOfTextbook;

        Batch(List<Lane<S>> lanes, boolean textbook, Sessions sessions) {
            reference = new int[lanes.size()];
            limited = new boolean[lanes.size()];
            arguments = lanes.get(0).types().size();
            this.textbook =
                    textbook ? Solver.of(Proofs.of(lanes.get(0).signature()).oracle()) : null;
            Map<S, Integer> known = new LinkedHashMap<>();
            for (int k = 0; k < lanes.size(); k++) {
                Lane<S> lane = lanes.get(k);
                judges.add(Judge.of(lane));
                judgesByTextbook.add(Judge.of(lane.withOracle()));
                limited[k] = lanes.size() > 1 && judges.get(k).leeway().isLimited(lane.strategy());
                Integer index = known.get(lane.reference().strategy());
                if (index == null) {
                    index = references.size();
                    known.put(lane.reference().strategy(), index);
                    references.add(Comparison.reference(lane, sessions));
                }
                reference[k] = index;
            }
            columns = 1
                    + arguments
                    + (int) IntStream.range(0, limited.length)
                            .filter(k -> limited[k])
                            .count();
        }

        void begin(Instances chosen, long first, long end, int parts) {
            instances = chosen;
            from = first;
            to = end;
            tasks = parts;
        }

        /** Limits the oracle to about half of the total time. */
        void adapt(Compared found) {
            if (found.byTextbook > 0) {
                double ofOne = found.nanosOfTextbook / (double) found.byTextbook;
                double others = Math.max(1, found.nanos - found.nanosOfTextbook) / (double) found.rows;
                every = Math.max(1, Math.round(ofOne / others));
            }
        }

        /** Returns rows with an instance's number, its arguments, and the first argument of each limited strategy. */
        Iterator<InternalRow> rows(Iterator<Integer> task) {
            int index = task.next();
            expected = new ConcurrentLinkedQueue<>();
            start = System.nanoTime();
            long end = from + (to - from) * (index + 1) / tasks;
            return new Iterator<>() {
                private long number = from + (to - from) * index / tasks;
                private InternalRow next = solvable();

                private InternalRow solvable() {
                    InternalRow row = null;
                    while (row == null && number < end) {
                        row = row(number++);
                    }
                    return row;
                }

                @Override
                public boolean hasNext() {
                    return next != null;
                }

                @Override
                public InternalRow next() {
                    if (next == null) {
                        throw new NoSuchElementException();
                    }
                    InternalRow row = next;
                    next = solvable();
                    return row;
                }
            };
        }

        /** Returns the row of an instance; null if no strategy solves it. */
        private InternalRow row(long number) {
            InternalRow instance = instances.instance(number);
            long lanes = 0;
            long known = 0;
            Object[] answers = new Object[references.size()];
            for (int k = 0; k < reference.length; k++) {
                if (judges.get(k).serves(instance)) {
                    lanes |= 1L << k;
                    int index = reference[k];
                    if ((known >> index & 1) == 0) {
                        answers[index] = references.get(index).solve(instance);
                        known |= 1L << index;
                    }
                }
            }
            if (lanes == 0) {
                return null;
            }
            boolean byOracle = textbook != null && number % every == 0;
            expected.add(new Expected(number, lanes, answers, byOracle, byOracle ? timed(instance) : null));
            Object[] values = new Object[columns];
            int column = 0;
            values[column++] = number;
            for (int i = 0; i < arguments; i++) {
                values[column++] = ((GenericInternalRow) instance).genericGet(i);
            }
            for (int k = 0; k < limited.length; k++) {
                if (limited[k]) {
                    values[column++] = (lanes >> k & 1) == 1 ? values[1] : null;
                }
            }
            return new GenericInternalRow(values);
        }

        private Object timed(InternalRow instance) {
            long before = System.nanoTime();
            Object answer = textbook.solve(instance);
            nanosOfTextbook += System.nanoTime() - before;
            byTextbook++;
            return answer;
        }

        /** Counts correct and wrong answers. */
        Iterator<Compared> compared(Iterator<InternalRow> rows) {
            Compared compared = new Compared(reference.length);
            for (; rows.hasNext(); compared.rows++) {
                InternalRow row = rows.next();
                Expected next = next(row);
                for (int k = 0; k < reference.length; k++) {
                    if ((next.lanes() >> k & 1) == 1) {
                        Object answer = answer(row, k);
                        compared.tallies
                                .get(k)
                                .add(next.number(), answer == null, !isRight(k, next, answer), next.byTextbook());
                    }
                }
            }
            if (!expected.isEmpty()) {
                throw new IllegalStateException(
                        "the query has lost row " + expected.peek().number());
            }
            compared.nanos = System.nanoTime() - start;
            compared.byTextbook = byTextbook;
            compared.nanosOfTextbook = nanosOfTextbook;
            return List.of(compared).iterator();
        }

        private Expected next(InternalRow row) {
            Expected next = expected.poll();
            if (next == null || next.number() != row.getLong(0)) {
                throw new IllegalStateException(
                        "the query has returned row %d instead of %s".formatted(row.getLong(0), next));
            }
            return next;
        }

        private Object answer(InternalRow row, int lane) {
            return row.isNullAt(1 + lane)
                    ? null
                    : row.get(1 + lane, judges.get(lane).type());
        }

        private boolean isRight(int lane, Expected next, Object answer) {
            Judge<S> judge = judges.get(lane);
            boolean byOracle = judge.other() == null;
            return judge.isRight(() -> instances.instance(next.number()), next.answers()[reference[lane]], answer)
                    && (byOracle
                            || !next.byTextbook()
                            || judgesByTextbook
                                    .get(lane)
                                    .isRight(() -> instances.instance(next.number()), next.textbook(), answer));
        }

        /** Returns the first lane's answer and the expected one, in a list that Kryo can serialize. */
        Iterator<String> texts(Iterator<InternalRow> rows) {
            List<String> texts = new ArrayList<>();
            while (rows.hasNext()) {
                InternalRow row = rows.next();
                DataType type = judges.get(0).type();
                texts.add(SqlText.answer(type, answer(row, 0)));
                texts.add(SqlText.answer(type, next(row).answers()[0]));
            }
            return texts.iterator();
        }
    }
}
