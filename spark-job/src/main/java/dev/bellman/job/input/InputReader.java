package dev.bellman.job.input;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.job.format.Format;
import dev.bellman.job.spec.Job;
import dev.bellman.job.spec.OnBadRow;
import dev.bellman.job.table.LakeTable;
import dev.bellman.job.terminal.Failures;
import dev.bellman.job.text.RecordFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Opens a job's inputs. */
public final class InputReader {
    private InputReader() {}

    /**
     * A source that has been opened, but whose rows have not been read yet.
     *
     * @param paths the rows at each path; empty for a table, because a job may need only some of a table's partitions,
     *     and reading any others could take long
     */
    public record Opened(Job.Source source, Dataset<Row> rows, List<Dataset<Row>> paths) {
        /** Reports each path at which no file has any rows. */
        public void tellEmpty(Consumer<String> notes) {
            for (int i = 0; i < paths.size(); i++) {
                String path = source.paths().get(i);
                try {
                    if (paths.get(i).isEmpty()) {
                        notes.accept("the input %s has no rows".formatted(path));
                    }
                } catch (Exception e) {
                    throw unreadable(String.join(", ", source.paths()), "", e);
                }
            }
        }
    }

    /**
     * Returns the rows of a source, and reports the paths that have no rows.
     *
     * @param notes receives a note for each path that has no rows
     * @throws BellmanException like {@link #open}
     */
    public static Dataset<Row> read(SparkSession spark, Job.Source source, OnBadRow onBadRow, Consumer<String> notes) {
        Opened opened = open(spark, source, onBadRow);
        opened.tellEmpty(notes);
        return opened.rows();
    }

    /**
     * Returns the rows of a source. Unless {@code onBadRow} is {@link OnBadRow#FAIL}, the rows of CSV, TSV and JSON
     * files have two additional columns, with which {@link RecordFormat} marks malformed records.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_READ} or {@link ErrorCode#BELLMAN_INPUT_FORMAT} if the
     *     source cannot be opened, {@link ErrorCode#BELLMAN_INPUT_EMPTY} if a path has no files, or only empty ones
     *     that define no columns
     */
    public static Opened open(SparkSession spark, Job.Source source, OnBadRow onBadRow) {
        Optional<LakeTable> table = source.lakeTable(spark);
        if (table.isPresent()) {
            return new Opened(source, read(table.get()), List.of());
        }
        return open(spark, InputFiles.of(source, spark.sparkContext().hadoopConfiguration()), onBadRow);
    }

    /** Like {@link #open(SparkSession, Job.Source, OnBadRow)} for a source whose files have been listed. */
    static Opened open(SparkSession spark, InputFiles files, OnBadRow onBadRow) {
        Job.Source source = files.source();
        Format format = source.format().orElseThrow();
        try {
            DataFrameReader reader = format.reader(spark, source.options())
                    .option(RecordFormat.ON_MALFORMED, onBadRow == OnBadRow.FAIL ? "fail" : "mark");
            Dataset<Row> rows = reader.load(files.paths());
            files.mustAllBeIn(rows);
            boolean marked = format.marksMalformed() && onBadRow != OnBadRow.FAIL;
            Dataset<Row> own = marked ? rows.drop(RecordFormat.MALFORMED, RecordFormat.RECORD) : rows;
            RecordFormat.mustNotBeReserved(own.columns());
            WideRows.fit(rows, format);
            List<Dataset<Row>> paths = source.paths().size() == 1
                    ? List.of(rows)
                    : IntStream.range(0, source.paths().size())
                            .mapToObj(i -> reader.schema(rows.schema()).load(files.paths(i)))
                            .toList();
            return new Opened(source, rows, paths);
        } catch (Exception e) {
            throw unreadable(String.join(", ", source.paths()), files.hint(), e);
        }
    }

    private static Dataset<Row> read(LakeTable table) {
        try {
            Dataset<Row> rows = table.read();
            RecordFormat.mustNotBeReserved(rows.columns());
            return rows;
        } catch (Exception e) {
            // Scala code throws Spark's checked exceptions without declaring them
            throw unreadable(table.display(), "", e);
        }
    }

    private static BellmanException unreadable(String paths, String hint, Exception failure) {
        BellmanException explained = Failures.explain(failure);
        return BellmanException.in(failure).isPresent() || Failures.isStop(failure)
                ? explained
                : new BellmanException(
                        ErrorCode.BELLMAN_INPUT_READ,
                        "cannot read the input %s: %s"
                                .formatted(
                                        paths,
                                        Failures.colon(failure)
                                                .orElseGet(() -> Failures.withoutCode(explained.getMessage()) + hint)),
                        failure);
    }
}
