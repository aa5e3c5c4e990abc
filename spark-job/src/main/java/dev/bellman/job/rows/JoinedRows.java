package dev.bellman.job.rows;

import static org.apache.spark.sql.functions.lit;

import dev.bellman.job.format.InputColumns;
import dev.bellman.job.spec.Job;
import dev.bellman.job.spec.JobKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * The rows of the input (side a), each joined with the targets (side b) that have equal values in the columns
 * {@code blockOn}. A column {@code x} of side a is named {@code x_a}, and a column {@code x} of side b, {@code x_b}.
 *
 * @param kept the columns of the joined rows that are written to the output
 */
record JoinedRows(Dataset<Row> rows, List<Column> kept) {
    private record Side(String name, Dataset<Row> rows) {
        /** Returns the joined rows' column for this side's column; fails if this side has no such column. */
        Column column(String column) {
            return InputColumns.column(named(Pairing.found(rows, name, column)));
        }

        String named(String column) {
            return column + "_" + name;
        }

        Dataset<Row> renamed() {
            return rows.toDF(Stream.of(rows.columns()).map(this::named).toArray(String[]::new));
        }
    }

    /** @param id the column that identifies a row on either side */
    static JoinedRows of(Job job, Dataset<Row> input, Dataset<Row> targets, Optional<String> id) {
        // the columns of a malformed record are NULL, so it is not joined
        Side a = new Side("a", InputColumns.unmarked(input));
        Side b = new Side("b", InputColumns.unmarked(targets));
        Column equal = lit(true);
        for (String name : job.get(JobKeys.BLOCK_ON)) {
            equal = equal.and(a.column(name).equalTo(b.column(name)));
        }
        List<Column> kept = new ArrayList<>();
        id.ifPresent(name -> {
            kept.add(a.column(name).as("id_a"));
            kept.add(b.column(name).as("id_b"));
        });
        for (String name : Pairing.kept(id, job.get(JobKeys.KEEP), a.rows(), b.rows())) {
            for (Side side : List.of(a, b)) {
                if (InputColumns.find(side.rows(), name).isPresent()) {
                    kept.add(side.column(name).as(side.named(name)));
                }
            }
        }
        return new JoinedRows(Pairing.whereEqual(a.renamed(), b.renamed(), equal), kept);
    }
}
