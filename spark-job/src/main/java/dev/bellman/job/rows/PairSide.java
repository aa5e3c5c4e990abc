package dev.bellman.job.rows;

import static org.apache.spark.sql.functions.expr;

import dev.bellman.job.format.InputColumns;
import dev.bellman.job.plan.EngineCheck;
import dev.bellman.job.terminal.Failures;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * The rows of one side before they are paired. A row that cannot be solved in any pair is found here, so it counts as
 * one bad row instead of one for each of its pairs.
 */
final class PairSide {
    private final Dataset<Row> rows;
    private final String argument;
    private final boolean isReadWhole;
    private Optional<Future<List<Counts>>> counting = Optional.empty();

    /**
     * @param rows the columns that the pairs have for this side, and the side's argument
     * @param argument the name that the argument has in the pairs
     * @param isReadWhole as in {@link #of}
     */
    private PairSide(Dataset<Row> rows, String argument, boolean isReadWhole) {
        this.rows = rows;
        this.argument = argument;
        this.isReadWhole = isReadWhole;
    }

    /** The numbers of rows, and of rows whose argument is NULL. */
    private record Counts(long rows, long nulls) implements Serializable {}

    /**
     * Creates a side.
     *
     * @param side {@code a} or {@code b}
     * @param id as in {@link Pairing#cross}
     * @param keep as in {@link Pairing#cross}
     * @param value the expression for the argument
     * @param isReadWhole whether any query reads the whole files, and the expression cannot fail
     */
    static PairSide of(
            String side,
            Dataset<Row> rows,
            Optional<String> id,
            List<String> keep,
            String value,
            String argument,
            boolean isReadWhole) {
        List<Column> columns = new ArrayList<>();
        id.flatMap(name -> InputColumns.find(rows, name))
                .ifPresent(name -> columns.add(InputColumns.column(name).as("id_" + side)));
        for (String name : keep) {
            if (!id.filter(name::equals).isPresent()) {
                InputColumns.find(rows, name)
                        .ifPresent(
                                found -> columns.add(InputColumns.column(found).as(name + "_" + side)));
            }
        }
        columns.add(expr(value).as(argument));
        return new PairSide(rows.select(columns.toArray(Column[]::new)), argument, isReadWhole);
    }

    Dataset<Row> rows() {
        return rows;
    }

    String argument() {
        return argument;
    }

    Column value() {
        return InputColumns.column(argument);
    }

    /** Returns the column that has this name; empty if this side has no such column. */
    Optional<Column> column(String name) {
        return List.of(rows.columns()).contains(name) ? Optional.of(InputColumns.column(name)) : Optional.empty();
    }

    /** Whether a column of the pairs is this side's argument. */
    boolean isArgument(Column column) {
        return column.equals(value());
    }

    /** Returns the number of rows. Counting takes hardly any work, so a GPU would not help. */
    long size() {
        return isReadWhole ? counts().rows() : EngineCheck.withoutPlugin(rows.sparkSession(), rows::count);
    }

    /** Returns the number of rows whose argument is NULL. */
    long nulls() {
        return isReadWhole ? counts().nulls() : rows.where(value().isNull()).count();
    }

    /** Starts to count rows and NULLs, if one query can count both. */
    void startCounting() {
        if (isReadWhole && counting.isEmpty()) {
            counting = Optional.of(EngineCheck.withoutPlugin(
                            rows.sparkSession(),
                            () -> rows.select(value()).queryExecution().toRdd())
                    .toJavaRDD()
                    .mapPartitions(PairSide::counted)
                    .collectAsync());
        }
    }

    private static Iterator<Counts> counted(Iterator<InternalRow> values) {
        long rows = 0;
        long nulls = 0;
        while (values.hasNext()) {
            rows++;
            if (values.next().isNullAt(0)) {
                nulls++;
            }
        }
        return List.of(new Counts(rows, nulls)).iterator();
    }

    private Counts counts() {
        startCounting();
        try {
            return counting.get().get().stream()
                    .reduce(new Counts(0, 0), (a, b) -> new Counts(a.rows + b.rows, a.nulls + b.nulls));
        } catch (InterruptedException | ExecutionException e) {
            throw Failures.explain(e);
        }
    }
}
