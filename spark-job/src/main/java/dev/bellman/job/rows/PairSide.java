package dev.bellman.job.rows;

import static org.apache.spark.sql.functions.expr;

import dev.bellman.job.format.InputColumns;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * The rows of one side before they are paired. A row that cannot be solved in any pair is found here, so it counts as
 * one bad row instead of one for each of its pairs.
 *
 * @param rows the columns that the pairs have for this side, and the side's argument
 * @param argument the name that the argument has in the pairs
 */
record PairSide(Dataset<Row> rows, String argument) {
    /**
     * Creates a side.
     *
     * @param side {@code a} or {@code b}
     * @param id as in {@link Pairing#cross}
     * @param keep as in {@link Pairing#cross}
     * @param value the expression for the argument
     */
    static PairSide of(
            String side, Dataset<Row> rows, Optional<String> id, List<String> keep, String value, String argument) {
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
        return new PairSide(rows.select(columns.toArray(Column[]::new)), argument);
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

    /** Returns the number of rows whose argument is NULL. */
    long nulls() {
        return rows.where(value().isNull()).count();
    }
}
