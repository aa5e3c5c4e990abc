package dev.bellman.job.run;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;

import dev.bellman.job.format.DatasetWrite;
import dev.bellman.job.format.Format;
import dev.bellman.job.format.InputColumns;
import dev.bellman.job.format.ParquetFooters;
import dev.bellman.job.format.WrittenRows;
import dev.bellman.job.output.OutputNames;
import dev.bellman.job.output.PathPattern;
import dev.bellman.job.output.SaveMode;
import dev.bellman.job.output.StagedOutput;
import dev.bellman.job.plan.Engine;
import dev.bellman.job.plan.EngineCheck;
import dev.bellman.job.plan.FinalPlan;
import dev.bellman.job.rows.Appending;
import dev.bellman.job.rows.FailingRow;
import dev.bellman.job.rows.InstanceQuery;
import dev.bellman.job.rows.Instances;
import dev.bellman.job.rows.RowSelection;
import dev.bellman.job.spec.Job;
import dev.bellman.job.spec.JobKeys;
import dev.bellman.job.spec.OnBadRow;
import dev.bellman.job.spec.PairingMode;
import dev.bellman.job.table.CountedRows;
import dev.bellman.job.table.LakeTable;
import dev.bellman.job.terminal.Failures;
import dev.bellman.job.text.RecordFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSError;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/** The output of a run: either files in a folder, or a table with a folder for its reports and bad rows. */
final class RunOutput {
    private static final String VERIFIED = "_bellman/verified";
    /** Spark's names for the error that a folder contains nothing to read. */
    private static final List<String> NO_FILES = List.of("UNABLE_TO_INFER_SCHEMA", "PATH_NOT_FOUND");

    private final Job job;
    private final SparkSession spark;
    /** The table that is written; empty if the output consists of files. */
    private final Optional<LakeTable> table;

    private final StagedOutput files;

    private Optional<WrittenRows> written = Optional.empty();

    /** @param files the output folder */
    RunOutput(Job job, SparkSession spark, Optional<LakeTable> table, StagedOutput files) {
        this.job = job;
        this.spark = spark;
        this.table = table;
        this.files = files;
    }

    /**
     * Returns the save mode for the output folder or, for a table, for the folder of its reports. Reports are kept for
     * as long as the rows that they describe.
     */
    static SaveMode modeOfFolder(Job job, Optional<LakeTable> table) {
        SaveMode mode = job.get(JobKeys.OUTPUT_MODE);
        return table.isEmpty() || mode == SaveMode.OVERWRITE && !table.get().replacesPart() ? mode : SaveMode.APPEND;
    }

    StagedOutput files() {
        return files;
    }

    /** Returns the output's name for messages. */
    String name() {
        return table.map(LakeTable::display).orElseGet(files::display);
    }

    boolean exists() {
        return table.map(LakeTable::exists).orElseGet(files::exists);
    }

    /** Whether no work remains because the output exists; fails if the output must not exist. */
    boolean isLeftAsItIs() {
        return files.ignored() || table.filter(this::isLeftAsItIs).isPresent();
    }

    private boolean isLeftAsItIs(LakeTable written) {
        SaveMode mode = job.get(JobKeys.OUTPUT_MODE);
        if (mode != SaveMode.ERROR && mode != SaveMode.IGNORE || !written.exists()) {
            return false;
        }
        if (mode == SaveMode.ERROR) {
            throw StagedOutput.exists(written.display());
        }
        return true;
    }

    /**
     * Checks that the rows of the query fit the existing output: a table in every mode, files only if rows are appended
     * to them. Also checks that a table can be written in a single commit.
     */
    void mustFit(InstanceQuery query) {
        if (table.isPresent()) {
            table.get().mustBeTransactional();
            Appending.mustFit(job, table.get(), job.fitted(query.results()));
        } else if (job.get(JobKeys.OUTPUT_MODE) == SaveMode.APPEND && files.exists()) {
            new Appending(job, files).mustFit(spark, job.fitted(query.results()));
        }
    }

    /**
     * Returns the instances to solve: all instances or, if only new rows are requested, the complete instances that the
     * output lacks. Instances that are incomplete now may be complete in a later run.
     */
    Instances wanted(Instances all) {
        if (!job.get(JobKeys.OUTPUT_SKIP_EXISTING)) {
            return job.get(JobKeys.OUTPUT_PARTS) == 1 ? all.counted() : all;
        }
        List<String> ids = all.keys();
        return Stream.of(
                        table.isPresent()
                                ? table.filter(LakeTable::exists).map(LakeTable::read)
                                : existing(() -> readBack(new InstanceQuery(all), files.path())),
                        // malformed records have no id
                        existing(() -> badRows(files.path()).where(col("record").isNull())))
                .flatMap(Optional::stream)
                .map(rows -> rows.select(ids.stream()
                        .map(id -> InputColumns.find(rows, id)
                                .map(InputColumns::column)
                                .orElseThrow(() -> InputColumns.missing(
                                        "output.skipExisting: the output %s has".formatted(name()), rows, id)))
                        .toArray(Column[]::new)))
                .reduce(all.identified(), Instances::without, (one, other) -> other)
                .complete();
    }

    /** Returns the rows that {@code rows} reads from the existing output; empty if there are no files to read. */
    private Optional<Dataset<Row>> existing(Supplier<Dataset<Row>> rows) {
        if (!files.exists()) {
            return Optional.empty();
        }
        try {
            return Optional.of(rows.get());
        } catch (Exception e) {
            if (e instanceof AnalysisException analysis && NO_FILES.contains(analysis.getCondition())) {
                return Optional.empty();
            }
            throw Failures.explain(e);
        }
    }

    Dataset<Row> badRows(String folder) {
        return spark.read().parquet(PathPattern.literal(folder + "/" + OutputNames.QUARANTINE));
    }

    /** The plan of a query that wrote rows, and how many rows it wrote, if known. */
    record Written(FinalPlan plan, Optional<Long> rows) {}

    /** Returns the rows that were written, if there are few, so that no query needs to read them back. */
    Optional<WrittenRows> written(InstanceQuery query, long rowsOut) {
        if (written.isEmpty() && isPlainParquet() && rowsOut <= WrittenRows.MAX_ROWS) {
            // tasks on a GPU do not collect rows
            written = Distributions.read(job, query.results().schema(), files.folder(), configuration());
        }
        return written.filter(rows -> rows.areAll(rowsOut));
    }

    /**
     * Returns the result columns that have no NULL, according to the footers of the files in a folder. Returns an empty
     * set if the footers do not show this, if the number of rows is not {@code rowsOut}, or if the output is a table,
     * has a different format, or consists of pairs or of selected rows.
     */
    Set<String> columnsWithoutNulls(String folder, long rowsOut) {
        if (table.isPresent()
                || job.get(JobKeys.OUTPUT_FORMAT) != Format.PARQUET
                || RowSelection.isMade(job)
                || job.get(JobKeys.PAIRING) != PairingMode.COLUMNS) {
            return Set.of();
        }
        try {
            Set<String> columns = new HashSet<>(ParquetFooters.columnsWithoutNulls(folder, rowsOut, configuration()));
            columns.retainAll(job.resultColumns());
            return columns;
        } catch (IOException e) {
            return Set.of();
        }
    }

    private Configuration configuration() {
        return spark.sparkContext().hadoopConfiguration();
    }

    private boolean isPlainParquet() {
        return table.isEmpty()
                && job.get(JobKeys.OUTPUT_FORMAT) == Format.PARQUET
                && job.get(JobKeys.OUTPUT_PARTITION_BY).isEmpty()
                && job.get(JobKeys.OUTPUT_PARTS) == 1;
    }

    Written write(InstanceQuery query, String folder) {
        try {
            return table.isPresent() ? insert(query, table.get()) : writeFiles(query, folder);
        } catch (Exception | FSError e) {
            throw files.writeFailure(e).orElseGet(() -> FailingRow.row(Failures.explain(e), query));
        }
    }

    private Written insert(InstanceQuery query, LakeTable into) {
        CountedRows rows = CountedRows.of(job.fitted(query.results()));
        FinalPlan plan = new FinalPlan(rows.plan());
        if (job.get(JobKeys.ENGINE) == Engine.GPU) {
            new EngineCheck(plan).requireGpu(query.functionNames(), query.results());
        }
        into.write(
                rows.rows(),
                switch (job.get(JobKeys.OUTPUT_MODE)) {
                    case APPEND -> org.apache.spark.sql.SaveMode.Append;
                    case OVERWRITE, OVERWRITE_FORCE -> org.apache.spark.sql.SaveMode.Overwrite;
                    case ERROR -> org.apache.spark.sql.SaveMode.ErrorIfExists;
                    case IGNORE -> org.apache.spark.sql.SaveMode.Ignore;
                },
                job.get(JobKeys.OUTPUT_PARTITION_BY));
        return new Written(plan, Optional.of(rows.count()));
    }

    private Written writeFiles(InstanceQuery query, String folder) {
        written = isPlainParquet() && !EngineCheck.usesPlugin(spark)
                ? Optional.of(Distributions.collected(job, query.results().schema(), spark.sparkContext()))
                : Optional.empty();
        FinalPlan plan = writer(job, query).collecting(written).to(folder);
        return new Written(plan, plan.rowsWritten());
    }

    /** Returns the writer of a job's files. Fails if they cannot be divided by the columns that the job requests. */
    static DatasetWrite writer(Job job, InstanceQuery query) {
        return job.get(JobKeys.OUTPUT_FORMAT)
                .write(job.fitted(query.results()), job.get(JobKeys.OUTPUT_OPTIONS))
                .maxRecordsPerFile(job.find(JobKeys.OUTPUT_MAX_RECORDS_PER_FILE))
                .partitionedBy(job.get(JobKeys.OUTPUT_PARTITION_BY));
    }

    /**
     * Writes the bad rows and malformed records, if there are any, and counts those that are not in the output.
     *
     * @param plan the plan of the query that solved the other rows, if it has run
     */
    long quarantine(InstanceQuery query, Optional<FinalPlan> plan, String folder) {
        long malformed = query.malformed()
                .map(this::unknown)
                .map(rows -> writeBadRows(
                        rows,
                        // the same filter also removes rows for a condition on the input, so its count would be too
                        // large
                        job.find(JobKeys.INPUT_WHERE).isPresent()
                                        || job.get(JobKeys.OUTPUT_SKIP_EXISTING)
                                        || job.get(JobKeys.OUTPUT_PARTS) > 1
                                ? Optional.empty()
                                : plan.flatMap(ran -> ran.rowsFiltered(RecordFormat.MALFORMED)),
                        folder))
                .orElse(0L);
        if (job.get(JobKeys.ON_BAD_ROW) != OnBadRow.QUARANTINE) {
            return 0;
        }
        if (!query.canQuarantine()) {
            return malformed;
        }
        Optional<Long> filtered = plan.flatMap(ran -> ran.rowsFiltered(InstanceQuery.ROW));
        long bad = malformed + writeBadRows(query.badRowsOrPairs(), filtered, folder);
        // the count excludes the pairs of other parts, but part 0 reports the bad rows of all pairs
        if (filtered.filter(count -> count == 0).isEmpty() || job.get(JobKeys.OUTPUT_PARTS) > 1) {
            for (Dataset<Row> side : query.badSides()) {
                bad += writeBadRows(unknown(side, query.instances().ids()), Optional.empty(), folder);
            }
        }
        return bad;
    }

    /**
     * Returns the malformed records; if only new records are requested, returns those that the output's table of bad
     * rows lacks.
     */
    private Dataset<Row> unknown(Dataset<Row> malformed) {
        return unknown(malformed, List.of("record", "reason"));
    }

    /**
     * Returns the bad rows; if only new rows are requested, returns those whose keys the output's table of bad rows
     * lacks.
     */
    private Dataset<Row> unknown(Dataset<Row> bad, List<String> keys) {
        if (!job.get(JobKeys.OUTPUT_SKIP_EXISTING)) {
            return bad;
        }
        return existing(() -> badRows(files.path()))
                .map(known -> {
                    Column same = lit(true);
                    List<Column> renamed = new ArrayList<>();
                    for (String key : keys) {
                        renamed.add(InputColumns.column(key).as("known_" + key));
                        same = same.and(InputColumns.column(key).eqNullSafe(InputColumns.column("known_" + key)));
                    }
                    return bad.join(known.select(renamed.toArray(Column[]::new)), same, "left_anti");
                })
                .orElse(bad);
    }

    /** @param filtered the number of bad rows that the query removed, if known */
    private long writeBadRows(Dataset<Row> bad, Optional<Long> filtered, String into) {
        boolean any = filtered.map(count -> count > 0).orElseGet(() -> !bad.isEmpty());
        if (!any) {
            return 0;
        }
        String folder = into + "/" + OutputNames.QUARANTINE;
        try {
            return Format.PARQUET.write(bad, Map.of()).to(folder).rowsWritten().orElseGet(bad::count);
        } catch (Exception | FSError e) {
            throw files.writeFailure(e).orElseGet(() -> Failures.explain(e));
        }
    }

    /** If the job requests it, solves a fraction of the rows again on the CPU and compares the results. */
    Optional<Verifier.Agreement> verify(InstanceQuery query) {
        if (job.find(JobKeys.VERIFY).isEmpty()) {
            return Optional.empty();
        }
        String folder = files.folder() + "/" + VERIFIED;
        return Optional.of(EngineCheck.withoutPlugin(spark, () -> new Verifier(job, spark)
                .verify(
                        folder,
                        rows -> job.get(JobKeys.OUTPUT_FORMAT)
                                .write(rows, job.get(JobKeys.OUTPUT_OPTIONS))
                                .partitionedBy(job.get(JobKeys.OUTPUT_PARTITION_BY))
                                .to(folder),
                        () -> readBack(query.judged(Verifier.CHOSEN).schema(), folder, List.of(folder)),
                        () -> readBack(query, files.folder()))));
    }

    Dataset<Row> readBack(InstanceQuery query, String folder) {
        return readBack(query, folder, List.of(folder));
    }

    Dataset<Row> readBack(InstanceQuery query, String folder, List<String> paths) {
        return readBack(query.results().schema(), folder, paths);
    }

    /** @param folder the folder that contains the files; it may be partitioned by columns */
    private Dataset<Row> readBack(StructType schema, String folder, List<String> paths) {
        DataFrameReader reader = job.get(JobKeys.OUTPUT_FORMAT).reader(spark, job.get(JobKeys.OUTPUT_OPTIONS));
        boolean divided = !job.get(JobKeys.OUTPUT_PARTITION_BY).isEmpty();
        if (divided) {
            // the base path is literal, whereas the paths to load are patterns
            reader.option("basePath", folder);
        }
        if (divided || job.get(JobKeys.OUTPUT_FORMAT) == Format.JSON) {
            // without a schema, Spark would read all of the JSON to infer one, and would read text in folder names as
            // numbers
            reader.schema(schema);
        }
        Dataset<Row> rows = reader.load(paths.stream().map(PathPattern::literal).toArray(String[]::new));
        return divided
                ? rows.select(Arrays.stream(schema.fieldNames())
                        .map(InputColumns::column)
                        .toArray(Column[]::new))
                : rows;
    }
}
