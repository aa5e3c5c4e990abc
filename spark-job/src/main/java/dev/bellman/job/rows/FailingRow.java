package dev.bellman.job.rows;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.job.format.InputColumns;
import dev.bellman.job.input.Attempt;
import dev.bellman.job.spec.Job;
import dev.bellman.job.spec.JobKeys;
import dev.bellman.job.terminal.Failures;
import dev.bellman.job.terminal.Printable;
import dev.bellman.job.text.RecordFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** Finds a row that makes a query fail. */
public final class FailingRow {
    private static final Set<ErrorCode> NOT_OF_A_ROW =
            Set.of(ErrorCode.BELLMAN_OUTPUT_WRITE, ErrorCode.BELLMAN_GPU_REQUIRED, ErrorCode.BELLMAN_CONFIGURATION);

    /** The column with the reason why an argument fails. */
    private static final String REASON = RecordFormat.ADDED + "reason";

    private FailingRow() {}

    /** Returns a failure that identifies a bad row; returns the given failure if no bad row is found. */
    public static BellmanException row(BellmanException failure, InstanceQuery query) {
        if (NOT_OF_A_ROW.contains(failure.code()) || Failures.isMemory(failure)) {
            return failure;
        }
        try {
            return failingArgument(query.instances())
                    .or(() -> rejected(query, failure))
                    .map(bad -> new BellmanException(
                            bad.code(), "%s is bad: %s%s".formatted(bad.row(), bad.reason(), advice(query)), failure))
                    .orElse(failure);
        } catch (Exception e) {
            // the input could not be read again, so return the failure unchanged
            failure.addSuppressed(e);
            return failure;
        }
    }

    /** A row for which a query fails, described for a message. */
    record BadRow(String row, ErrorCode code, String reason) {
        BadRow(Row row, int columns, ErrorCode code, String reason) {
            this(named(row, columns), code, reason);
        }

        /** Identifies the row by the values of its first columns. */
        private static String named(Row row, int columns) {
            if (columns == 0) {
                return "a row";
            }
            StringJoiner names = new StringJoiner(", ", "the row with ", "");
            for (int i = 0; i < columns; i++) {
                names.add("%s %s".formatted(row.schema().fieldNames()[i], row.get(i)));
            }
            return Printable.text(names.toString());
        }
    }

    /** Finds an input row for which the expression of an argument fails. */
    private static Optional<BadRow> failingArgument(Instances instances) {
        Job job = instances.job();
        for (Dataset<Row> source : instances.sources()) {
            List<String> named = Stream.concat(
                            job.find(JobKeys.ID).or(() -> Optional.of("id")).stream(), job.get(JobKeys.KEEP).stream())
                    .flatMap(name -> InputColumns.find(source, name).stream())
                    .toList();
            for (String argument : job.get(JobKeys.ARGUMENTS)) {
                if (InputColumns.find(source, argument).isPresent()) {
                    continue;
                }
                Column failure = Attempt.failure(Attempt.of(expr(argument)));
                Column reason = Attempt.badRow(argument, failure).as(REASON);
                List<Row> failing = source.select(
                                Stream.concat(named.stream().map(InputColumns::column), Stream.of(reason))
                                        .toArray(Column[]::new))
                        .where(col(REASON).isNotNull())
                        .takeAsList(1);
                if (!failing.isEmpty()) {
                    return Optional.of(new BadRow(
                            failing.get(0),
                            named.size(),
                            ErrorCode.BELLMAN_INPUT_VALUE,
                            Failures.withoutCode(failing.get(0).getString(named.size()))));
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<BadRow> rejected(InstanceQuery query, BellmanException failure) {
        if (!failure.code().isRowError() || !query.rejects()) {
            return Optional.empty();
        }
        List<Row> bad = query.badRows().takeAsList(1);
        return bad.stream().findFirst().map(row -> {
            String reason = row.getString(row.length() - 1);
            return new BadRow(
                    row,
                    query.instances().kept().size(),
                    failure.code(),
                    Failures.withoutCode(reason == null ? failure.getMessage() : reason));
        });
    }

    private static String advice(InstanceQuery query) {
        return query.canQuarantine() ? "; set onBadRow: quarantine to write such rows to a separate folder" : "";
    }
}
