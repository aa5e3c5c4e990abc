package dev.bellman.job.input;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.job.format.Format;
import dev.bellman.job.spec.BadRows;
import dev.bellman.job.spec.Job;
import dev.bellman.job.table.LakeTable;
import dev.bellman.job.terminal.Failures;
import dev.bellman.job.text.RecordFormat;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Opens the inputs of a job. */
public final class InputReader {
    private InputReader() {}

    /**
     * The rows of a source. Unless bad rows are {@link BadRows#FAIL}, rows of a text format have the two extra columns
     * in which {@link RecordFormat} marks malformed records.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_READ} or {@link ErrorCode#BELLMAN_INPUT_FORMAT} if it
     *     cannot be opened, {@link ErrorCode#BELLMAN_INPUT_EMPTY} if a path has nothing that defines its columns
     * @param notes is told of a path of files without rows
     */
    public static Dataset<Row> read(SparkSession spark, Job.Source source, BadRows badRows, Consumer<String> notes) {
        Optional<LakeTable> table = source.lakeTable(spark);
        if (table.isPresent()) {
            return read(table.get());
        }
        Format format = source.format().orElseThrow();
        InputFiles files = InputFiles.of(source, spark.sparkContext().hadoopConfiguration());
        try {
            DataFrameReader reader = format.reader(spark, source.options())
                    .option(RecordFormat.ON_MALFORMED, badRows == BadRows.FAIL ? "fail" : "mark");
            Dataset<Row> rows = reader.load(files.paths());
            files.mustAllBeIn(rows);
            WideRows.fit(rows, format);
            for (int i = 0; i < source.paths().size(); i++) {
                Dataset<Row> ofPath = source.paths().size() == 1
                        ? rows
                        : reader.schema(rows.schema()).load(files.paths(i));
                if (ofPath.isEmpty()) {
                    notes.accept(
                            "the input %s has no rows".formatted(source.paths().get(i)));
                }
            }
            return rows;
        } catch (Exception e) {
            throw unreadable(String.join(", ", source.paths()), e);
        }
    }

    /** The rows of a table, none of which are read here: a condition may need only some partitions. */
    private static Dataset<Row> read(LakeTable table) {
        try {
            return table.read();
        } catch (Exception e) {
            // Scala throws Spark's checked exceptions without declaring them
            throw unreadable(table.display(), e);
        }
    }

    private static BellmanException unreadable(String paths, Exception failure) {
        BellmanException explained = Failures.explain(failure);
        return BellmanException.in(failure).isPresent()
                ? explained
                : new BellmanException(
                        ErrorCode.BELLMAN_INPUT_READ,
                        "cannot read the input %s: %s".formatted(paths, Failures.withoutCode(explained.getMessage())),
                        failure);
    }
}
