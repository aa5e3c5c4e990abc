package dev.bellman.job.rows;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.length;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.job.cluster.KeptData;
import dev.bellman.job.text.RecordFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Finds pairs that include the closest targets of every row, usually without comparing every row with every target.
 * This class first finds all pairs within 0 edits and then, for rows that have too few targets so far, all pairs within
 * 1, 2, and increasingly more edits. If a row has enough targets within a distance, these include its closest targets
 * and all ties.
 *
 * <p>Compares the remaining rows with every target if this is little work, or if too many pairs are close for a join.
 * If a row's group has no more targets than are requested, the row gets all of them.
 */
final class NearestTargets {
    /** The maximum number of pairs for which comparing all pairs is faster than a join. */
    private static final long FEW_PAIRS = 5_000_000;

    private static final String DONE = RecordFormat.ADDED + "done";

    private final Pairing.Sides sides;
    private final List<String> arguments;
    private final int top;
    private final UnaryOperator<Dataset<Row>> narrowed;

    /**
     * @param arguments the names that the arguments have in the pairs
     * @param top the number of targets that each row gets
     */
    NearestTargets(Pairing.Sides sides, List<String> arguments, int top) {
        this(sides, arguments, top, UnaryOperator.identity());
    }

    private NearestTargets(Pairing.Sides sides, List<String> arguments, int top, UnaryOperator<Dataset<Row>> narrowed) {
        this.sides = sides;
        this.arguments = arguments;
        this.top = top;
        this.narrowed = narrowed;
    }

    /**
     * Returns the same pairs without those that {@code more} removes. For each row, {@code more} must remove either all
     * of its pairs or none.
     */
    NearestTargets narrowed(UnaryOperator<Dataset<Row>> more) {
        return new NearestTargets(sides, arguments, top, pairs -> more.apply(narrowed.apply(pairs)));
    }

    /** Returns the pairs within the limit or, without a limit, all pairs. */
    Dataset<Row> pairs(Optional<? extends Number> limit) {
        return narrowed.apply(pairs(sides.a(), limit));
    }

    private Dataset<Row> pairs(Dataset<Row> rows, Optional<? extends Number> limit) {
        return sides.pairs(rows, limit).withColumnsRenamed(Map.of("a", arguments.get(0), "b", arguments.get(1)));
    }

    /**
     * Finds pairs that include the {@code top} closest targets of every row.
     *
     * @param keep stores intermediate rows
     * @param choice selects up to {@code top} pairs per row, and keeps {@link Pairing#ROW}
     */
    Dataset<Row> found(KeptData keep, UnaryOperator<Dataset<Row>> choice) {
        Dataset<Row> targets = sides.b().where(col("b").isNotNull());
        Row all = targets.agg(count(lit(1)), coalesce(max(length(col("b"))), lit(0)))
                .head();
        Dataset<Row> rows = keep.persisted(sides.a().where(col("a").isNotNull()));
        Dataset<Row> choosers = rows.join(sides.groups(targets, top), sides.sameGroup(), "left_semi");
        Dataset<Row> rest = keep.persisted(choosers);
        List<Dataset<Row>> found = new ArrayList<>();
        found.add(
                pairs(without(rows, keep.persisted(rest.select(col(Pairing.ROW).as(DONE)))), Optional.empty()));
        for (int k = 0; ; k += 1 + k / 4) {
            Row left = rest.agg(count(lit(1)), coalesce(max(length(col("a"))), lit(0)))
                    .head();
            if (left.getLong(0) == 0) {
                break;
            }
            boolean isLittle = (double) left.getLong(0) * all.getLong(0) <= FEW_PAIRS;
            Optional<Dataset<Row>> close =
                    isLittle || k > Math.max(left.getInt(1), all.getInt(1)) ? Optional.empty() : within(rest, k, keep);
            if (close.isEmpty()) {
                found.add(pairs(rest, Optional.empty()));
                break;
            }
            Dataset<Row> done = keep.persisted(choice.apply(close.get())
                    .groupBy(col(Pairing.ROW).as(DONE))
                    .agg(count(lit(1)).as("targets"))
                    .where(col("targets").equalTo(top))
                    .select(DONE));
            found.add(close.get().join(done, col(Pairing.ROW).equalTo(col(DONE)), "left_semi"));
            rest = keep.persisted(without(rest, done));
        }
        return narrowed.apply(found.stream().reduce(Dataset::union).orElseThrow());
    }

    private static Dataset<Row> without(Dataset<Row> rows, Dataset<Row> done) {
        return rows.join(done, col(Pairing.ROW).equalTo(col(DONE)), "left_anti");
    }

    /** Returns the pairs within {@code k} edits; empty if there are too many pairs for a join. */
    private Optional<Dataset<Row>> within(Dataset<Row> rows, int k, KeptData keep) {
        try {
            return Optional.of(keep.persisted(pairs(rows, Optional.of(k))));
        } catch (RuntimeException e) {
            if (BellmanException.in(e)
                    .filter(found -> found.code() == ErrorCode.BELLMAN_JOIN_PAIRS)
                    .isPresent()) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
