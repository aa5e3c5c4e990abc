package dev.bellman.plan.training;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.markov.FittedModel;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;

/** Reads the hidden Markov model with which training starts. */
public final class StartModel {
    private StartModel() {}

    /** @param table has one row, with the columns {@code start}, {@code transitions} and {@code emissions} */
    public static FittedModel of(Dataset<Row> table, SequenceType<?> type) {
        Column[] columns = Stream.of("start", "transitions", "emissions")
                .map(name -> column(table, name))
                .toArray(Column[]::new);
        List<InternalRow> rows = table.select(columns)
                .queryExecution()
                .toRdd()
                .toJavaRDD()
                .map(InternalRow::copy)
                .take(2);
        if (rows.size() != 1) {
            throw invalid("the table must have one row");
        }
        InternalRow row = rows.get(0);
        if (row.anyNull()) {
            throw invalid("a column is NULL");
        }
        try {
            return type.model(DistributedTraining.NAME, row.getArray(0), row.getArray(1), row.getArray(2));
        } catch (BellmanException e) {
            // remove the code and the advice, which refer to the rows of a function call
            throw invalid(e.getMessage()
                    .replaceFirst("^.*?%s: ".formatted(DistributedTraining.NAME), "")
                    .replaceFirst("[.] Correct the row.*", ""));
        }
    }

    private static Column column(Dataset<Row> table, String name) {
        if (Stream.of(table.columns()).noneMatch(name::equalsIgnoreCase)) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_SCHEMA,
                    "the table in start.path has no column '%s'; its columns are %s"
                            .formatted(name, String.join(", ", table.columns())));
        }
        return table.col(name).cast(name.equals("start") ? "ARRAY<DOUBLE>" : "ARRAY<ARRAY<DOUBLE>>");
    }

    private static BellmanException invalid(String problem) {
        return new BellmanException(
                ErrorCode.BELLMAN_INPUT_VALUE,
                ("the model in start.path is invalid: %s. Correct it, or replace start with states to start with a "
                                + "random model")
                        .formatted(problem));
    }
}
