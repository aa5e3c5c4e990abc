package dev.bellman.job.rows;

import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.monotonically_increasing_id;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.job.format.InputColumns;
import dev.bellman.job.plan.EngineCheck;
import dev.bellman.job.spec.Metric;
import dev.bellman.job.text.RecordFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Forms pairs of rows. The result has the columns {@code id_a} and {@code id_b} (if there is an id), {@code a} and
 * {@code b} (the values of the argument's expression on both sides), and, for each kept column {@code x}, {@code x_a}
 * and {@code x_b} from the sides that have {@code x}.
 *
 * <p>To form all pairs, if Spark expects the smaller side to have at most {@value #BROADCAST_BYTES} bytes, every task
 * receives the whole smaller side, and the other side is distributed over all cores, no matter how many files it has.
 * Otherwise, both sides are divided into blocks, and each task pairs two blocks.
 *
 * <p>The position of a row consists of the number of its input partition and the row's number within that partition.
 * Rows are counted while they are read, before they are distributed. {@link #allVsAll} orders rows by position, and
 * {@link #rejoin} finds them by position, so ids need not be unique. The query reads the input once for each side, and
 * again if tasks are retried, so the input must return the same rows in the same order each time. Files do. The output
 * of a shuffle does not guarantee this, so it must be written to files first.
 */
public final class Pairing {
    /** The maximum size, in bytes, of a side that is broadcast. */
    static final long BROADCAST_BYTES = 32L << 20;

    /**
     * The number of tasks per core. A core that has short sequences can thus run an additional task when it finishes
     * early. A GPU is faster with a few large tasks.
     */
    private static final int TASKS_PER_CORE = 3;

    private static final int TASKS_PER_CORE_ON_GPU = 1;

    private static final String POSITION = RecordFormat.ADDED + "row";

    /**
     * The columns that contain the positions of a numbered pair's two rows; {@link #near} creates only the first one.
     */
    static final List<String> POSITIONS = List.of(POSITION + "_a", POSITION + "_b");

    /** The column that identifies the row on side a. */
    static final String ROW = POSITIONS.get(0);

    private static final String GROUP = RecordFormat.ADDED + "group";
    private static final String TARGETS = RecordFormat.ADDED + "targets";

    private Pairing() {}

    /**
     * Pairs every row of {@code queries} (side a) with every row of {@code targets} (side b).
     *
     * @param id the column that identifies a row on either side
     * @param argument a column name, or an SQL expression on the columns of either side
     * @param keep columns that exist on at least one side
     */
    public static Dataset<Row> cross(
            Dataset<Row> queries, Dataset<Row> targets, Optional<String> id, String argument, List<String> keep) {
        Set<String> kept = kept(id, keep, queries, targets);
        return join(
                side(queries, "a", id, argument, kept),
                side(targets, "b", id, argument, kept),
                Optional.empty(),
                order(id, kept, queries, targets));
    }

    /** Returns the pairs of {@link #cross}, numbered by {@link #POSITIONS}. */
    static Dataset<Row> numberedCross(
            Dataset<Row> queries, Dataset<Row> targets, Optional<String> id, String argument, List<String> keep) {
        Set<String> kept = kept(id, keep, queries, targets);
        return join(
                numbered(side(queries, "a", id, argument, kept), "a"),
                numbered(side(targets, "b", id, argument, kept), "b"),
                Optional.empty(),
                withPositions(order(id, kept, queries, targets)));
    }

    /**
     * Pairs each row of {@code rows} with each other row. The other parameters are those of {@link #cross}.
     *
     * @param both whether each of the two rows becomes side a once; otherwise, the row that comes first in the input is
     *     side a
     */
    public static Dataset<Row> allVsAll(
            Dataset<Row> rows, Optional<String> id, String argument, List<String> keep, boolean both) {
        return numberedAllVsAll(rows, id, argument, keep, both).drop(POSITIONS.toArray(String[]::new));
    }

    /** Returns the pairs of {@link #allVsAll}, numbered by {@link #POSITIONS}. */
    static Dataset<Row> numberedAllVsAll(
            Dataset<Row> rows, Optional<String> id, String argument, List<String> keep, boolean both) {
        Set<String> kept = kept(id, keep, rows, rows);
        return join(
                numbered(side(rows, "a", id, argument, kept), "a"),
                numbered(side(rows, "b", id, argument, kept), "b"),
                Optional.of(ofTwoRows(both)),
                withPositions(order(id, kept, rows, rows)));
    }

    /**
     * Whether a pair consists of two different rows, in the order of the input unless both directions are requested.
     */
    private static Column ofTwoRows(boolean both) {
        Column a = col(POSITIONS.get(0));
        Column b = col(POSITIONS.get(1));
        return both ? a.notEqual(b) : a.lt(b);
    }

    /**
     * Adds the dropped arguments back to numbered pairs.
     *
     * @param most the maximum number of pairs for each row on side a, if known
     * @param queries side a, in the form in which it was paired
     * @param targets side b, in the form in which it was paired
     * @param names the names of both arguments
     */
    static Dataset<Row> rejoin(
            Dataset<Row> pairs,
            Optional<Integer> most,
            Dataset<Row> queries,
            Dataset<Row> targets,
            String argument,
            List<String> names) {
        Column value = expr(argument);
        Dataset<Row> ofQueries = pairs.join(numbered(queries.select(value.as(names.get(0))), "a"), POSITIONS.get(0));
        // Spark estimates the number of pairs before the selection, and would therefore shuffle the targets
        boolean few = most.isPresent() && bytes(queries) <= BROADCAST_BYTES / most.get();
        return (few ? broadcast(ofQueries) : ofQueries)
                .join(numbered(targets.select(value.as(names.get(1))), "b"), POSITIONS.get(1));
    }

    private static Dataset<Row> numbered(Dataset<Row> rows, String side) {
        return rows.withColumn(POSITION + "_" + side, monotonically_increasing_id());
    }

    private static Column[] withPositions(Column... columns) {
        return Stream.concat(Arrays.stream(columns), POSITIONS.stream().map(InputColumns::column))
                .toArray(Column[]::new);
    }

    /**
     * Defines when two rows are close.
     *
     * @param limit the maximum distance or minimum similarity
     * @param by the columns that must be equal on both sides
     */
    public record Closeness(Metric metric, Optional<? extends Number> limit, List<String> by) {
        /** Returns the same measure with a different limit, or with none. */
        Closeness within(Optional<? extends Number> other) {
            return new Closeness(metric, other, by);
        }
    }

    /**
     * Returns the close pairs. If there are targets, a pair is a row of {@code queries} (side a) and a row of
     * {@code targets} (side b); otherwise, it is two rows of {@code queries}. Spark plans this join without a cross
     * product ({@code dev.bellman.plan.SimilarityJoin}). The other parameters are those of {@link #cross}.
     *
     * @param both as for {@link #allVsAll}; used only if there are no targets
     */
    public static Dataset<Row> within(
            Dataset<Row> queries,
            Optional<Dataset<Row>> targets,
            Optional<String> id,
            String argument,
            List<String> keep,
            Closeness closeness,
            boolean both) {
        Dataset<Row> others = targets.orElse(queries);
        Set<String> kept = kept(id, keep, queries, others);
        Dataset<Row> a = side(queries, "a", id, argument, kept, closeness.by());
        Dataset<Row> b = side(others, "b", id, argument, kept, closeness.by());
        Column condition = condition(closeness);
        if (targets.isEmpty()) {
            a = numbered(a, "a");
            b = numbered(b, "b");
            condition = condition.and(ofTwoRows(both));
        }
        return a.join(b, condition).select(order(id, kept, queries, others));
    }

    /**
     * Returns both sides of pairs that are found by distance. The column {@link #ROW} identifies the rows on side a,
     * because ids may be NULL or not unique. The parameters are those of {@link #cross}.
     *
     * @param closeness the measure; its limit is ignored
     */
    static Sides near(
            Dataset<Row> queries,
            Dataset<Row> targets,
            Optional<String> id,
            String argument,
            List<String> keep,
            Closeness closeness) {
        Set<String> kept = kept(id, keep, queries, targets);
        return new Sides(
                numbered(side(queries, "a", id, argument, kept, closeness.by()), "a"),
                side(targets, "b", id, argument, kept, closeness.by()),
                closeness,
                Stream.concat(Stream.of(order(id, kept, queries, targets)), Stream.of(col(ROW)))
                        .toArray(Column[]::new));
    }

    /**
     * Both sides of the pairs for {@link #near}.
     *
     * @param a rows that have the columns {@code a} and {@link #ROW}
     * @param b rows that have the column {@code b}
     * @param columns the columns that a pair has
     */
    record Sides(Dataset<Row> a, Dataset<Row> b, Closeness closeness, Column[] columns) {
        /**
         * Pairs some rows on side a with those targets of their group that are within the limit, or with all of them.
         */
        Dataset<Row> pairs(Dataset<Row> rows, Optional<? extends Number> limit) {
            return rows.join(b, condition(closeness.within(limit))).select(columns);
        }

        /** Returns the groups that have more than {@code most} targets. */
        Dataset<Row> groups(Dataset<Row> targets, int most) {
            Column[] groups = IntStream.range(0, closeness.by().size())
                    .mapToObj(i -> col(GROUP + i + "_b"))
                    .toArray(Column[]::new);
            return targets.groupBy(groups)
                    .agg(count(lit(1)).as(TARGETS))
                    .where(col(TARGETS).gt(most));
        }

        /** Whether a row on side a belongs to one of {@link #groups}. */
        Column sameGroup() {
            return condition(closeness.within(Optional.empty()));
        }
    }

    private static Column condition(Closeness closeness) {
        Column condition = closeness
                .limit()
                .map(limit -> closeness.metric().close(col("a"), col("b"), limit))
                .orElse(lit(true));
        for (int i = 0; i < closeness.by().size(); i++) {
            condition = condition.and(col(GROUP + i + "_a").equalTo(col(GROUP + i + "_b")));
        }
        return condition;
    }

    private static Dataset<Row> side(
            Dataset<Row> rows, String side, Optional<String> id, String argument, Set<String> kept, List<String> by) {
        List<Column> columns = new ArrayList<>(columns(rows, side, id, argument, kept));
        for (int i = 0; i < by.size(); i++) {
            columns.add(InputColumns.column(found(rows, side, by.get(i))).as(GROUP + i + "_" + side));
        }
        return rows.select(columns.toArray(Column[]::new));
    }

    /** Returns the pairs that meet a condition on equal columns, for which Spark need not form all pairs. */
    static Dataset<Row> whereEqual(Dataset<Row> a, Dataset<Row> b, Column condition) {
        return bytes(b) <= BROADCAST_BYTES ? spread(a, tasks(a)).join(broadcast(b), condition) : a.join(b, condition);
    }

    private static int tasks(Dataset<Row> rows) {
        return (EngineCheck.usesPlugin(rows.sparkSession()) ? TASKS_PER_CORE_ON_GPU : TASKS_PER_CORE)
                * rows.sparkSession().sparkContext().defaultParallelism();
    }

    private static Dataset<Row> join(Dataset<Row> a, Dataset<Row> b, Optional<Column> condition, Column[] columns) {
        int tasks = tasks(a);
        long bytesOfA = bytes(a);
        long bytesOfB = bytes(b);
        Dataset<Row> left;
        Dataset<Row> right;
        if (bytesOfB <= BROADCAST_BYTES && bytesOfB <= bytesOfA) {
            left = spread(a, tasks);
            right = broadcast(b);
        } else if (bytesOfA <= BROADCAST_BYTES) {
            left = broadcast(a);
            right = spread(b, tasks);
        } else {
            int blocks = (int) Math.ceil(Math.sqrt(tasks));
            left = spread(a, blocks);
            right = spread(b, blocks).hint("shuffle_replicate_nl");
        }
        return (condition.isPresent() ? left.join(right, condition.get()) : left.crossJoin(right)).select(columns);
    }

    /**
     * Distributes rows over at least {@code tasks} partitions. Repartitioning separates neighbouring rows, which often
     * have similar lengths; it is skipped if there are enough partitions.
     */
    private static Dataset<Row> spread(Dataset<Row> rows, int tasks) {
        return rows.queryExecution().toRdd().getNumPartitions() >= tasks ? rows : rows.repartition(tasks);
    }

    private static long bytes(Dataset<Row> rows) {
        scala.math.BigInt size = rows.queryExecution().optimizedPlan().stats().sizeInBytes();
        return size.isValidLong() ? size.toLong() : Long.MAX_VALUE;
    }

    private static Dataset<Row> side(
            Dataset<Row> rows, String side, Optional<String> id, String argument, Set<String> kept) {
        return rows.select(columns(rows, side, id, argument, kept).toArray(Column[]::new));
    }

    private static List<Column> columns(
            Dataset<Row> rows, String side, Optional<String> id, String argument, Set<String> kept) {
        List<Column> columns = new ArrayList<>();
        id.ifPresent(
                name -> columns.add(InputColumns.column(found(rows, side, name)).as("id_" + side)));
        columns.add(expr(argument).as(side));
        for (String name : kept) {
            if (has(rows, name)) {
                columns.add(InputColumns.column(rows, name).as(name + "_" + side));
            }
        }
        return columns;
    }

    /**
     * Returns the name of a side's column as the side spells it; fails if the column is missing. If both sides come
     * from one input, side a is checked first, so the message does not mention targets.
     */
    static String found(Dataset<Row> rows, String side, String name) {
        return InputColumns.find(rows, name)
                .orElseThrow(() ->
                        InputColumns.missing(side.equals("a") ? "the input has" : "the targets have", rows, name));
    }

    private static Column[] order(Optional<String> id, Set<String> kept, Dataset<Row> rowsOfA, Dataset<Row> rowsOfB) {
        List<String> names = new ArrayList<>();
        if (id.isPresent()) {
            names.add("id_a");
            names.add("id_b");
        }
        names.add("a");
        names.add("b");
        for (String name : kept) {
            if (has(rowsOfA, name)) {
                names.add(name + "_a");
            }
            if (has(rowsOfB, name)) {
                names.add(name + "_b");
            }
        }
        return names.stream().map(InputColumns::column).toArray(Column[]::new);
    }

    /** Returns the columns to keep except the id; fails if neither side has one of them. */
    static Set<String> kept(Optional<String> id, List<String> keep, Dataset<Row> rowsOfA, Dataset<Row> rowsOfB) {
        Set<String> kept = new LinkedHashSet<>(keep);
        id.ifPresent(kept::remove);
        for (String name : kept) {
            if (!has(rowsOfA, name) && !has(rowsOfB, name)) {
                throw InputColumns.missing(rowsOfA, name);
            }
            if (id.isPresent() && name.equalsIgnoreCase("id")) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_INPUT_SCHEMA,
                        "column " + name + " cannot be kept: id_a and id_b are derived from column " + id.get()
                                + "; rename the kept column in the input");
            }
        }
        return kept;
    }

    private static boolean has(Dataset<Row> rows, String name) {
        return InputColumns.find(rows, name).isPresent();
    }
}
