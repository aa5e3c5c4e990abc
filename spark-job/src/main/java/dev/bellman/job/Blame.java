package dev.bellman.job;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import org.apache.spark.sql.Row;

/** Finds the row that made a query fail. */
final class Blame {
    private static final Set<ErrorCode> NOT_OF_A_ROW =
            Set.of(ErrorCode.BELLMAN_OUTPUT_WRITE, ErrorCode.BELLMAN_GPU_REQUIRED, ErrorCode.BELLMAN_CONFIGURATION);

    private Blame() {}

    /** The failure with the first row at fault, or unchanged if none is found. */
    static BellmanException row(BellmanException failure, InstanceQuery query) {
        if (NOT_OF_A_ROW.contains(failure.code()) || Failures.isMemory(failure)) {
            return failure;
        }
        try {
            return query.failingArgument()
                    .or(() -> rejected(query, failure))
                    .map(bad -> new BellmanException(
                            bad.code(), "%s is bad: %s%s".formatted(bad.row(), bad.reason(), advice(query)), failure))
                    .orElse(failure);
        } catch (Exception e) {
            // the input cannot be read again: keep the failure as it is
            failure.addSuppressed(e);
            return failure;
        }
    }

    /** A row at fault. */
    record BadRow(String row, ErrorCode code, String reason) {
        BadRow(Row row, int columns, ErrorCode code, String reason) {
            this(named(row, columns), code, reason);
        }

        /** Identifies the row by its first columns. */
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

    private static Optional<BadRow> rejected(InstanceQuery query, BellmanException failure) {
        if (!failure.code().isRowError() || !query.rejects()) {
            return Optional.empty();
        }
        List<Row> bad = query.badRows().takeAsList(1);
        return bad.stream().findFirst().map(row -> {
            String reason = row.getString(row.length() - 1);
            return new BadRow(
                    row,
                    query.keptColumns(),
                    failure.code(),
                    Failures.withoutCode(reason == null ? failure.getMessage() : reason));
        });
    }

    private static String advice(InstanceQuery query) {
        return query.canSetAside() ? "; badRows: quarantine would set such rows aside" : "";
    }
}
