package dev.bellman.job.table;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.lit;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.CreateTableWriter;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.DataFrameWriter;
import org.apache.spark.sql.DataFrameWriterV2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.connector.catalog.StagingTableCatalog;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.catalog.V1Table;

/**
 * A table of a catalogue or of a data source. The table's own commit is the transaction: if a run fails or is killed
 * before the commit, the table stays at its last version. Bellman itself never creates, moves or deletes any of the
 * table's files.
 *
 * <p>Delta and Iceberg tables have numbered versions, so that all queries of a run can read the same version. Bellman
 * does not know the versions of other tables and, unless they are in a catalogue, whether they exist; the guarantees of
 * a write are those of the source.
 */
public final class LakeTable {
    /** The Spark option that selects the version to read. */
    private static final String VERSION = "versionAsOf";

    /** Options, in lowercase, that select a specific version. */
    private static final Set<String> FIXED = Set.of("versionasof", "timestampasof", "snapshot-id", "as-of-timestamp");
    /** Options, in lowercase, that select a branch, a tag, or a range of versions. */
    private static final Set<String> CHOOSING = Set.of(
            "branch",
            "tag",
            "start-snapshot-id",
            "end-snapshot-id",
            "start-timestamp",
            "end-timestamp",
            "stream-from-timestamp",
            "readchangefeed",
            "readchangedata",
            "startingversion",
            "endingversion",
            "startingtimestamp",
            "endingtimestamp");

    static final String DELTA = "delta";
    private static final String ICEBERG = "iceberg";

    /** The table formats that Bellman knows. */
    public static final Set<String> FORMATS = Set.of(DELTA, ICEBERG);

    private final SparkSession spark;
    private final TableLookup lookup;
    private final Optional<String> name;
    private final Optional<String> format;
    private final Optional<String> path;
    private final Map<String, String> options;

    private LakeTable(
            org.apache.spark.sql.SparkSession spark,
            Optional<String> name,
            Optional<String> format,
            Optional<String> path,
            Map<String, String> options) {
        this.spark = (SparkSession) spark;
        this.name = name;
        this.format = format;
        this.path = path;
        this.options = options;
        lookup = new TableLookup(this.spark, name, format, path, options);
    }

    /**
     * Returns a catalogue table.
     *
     * @param format the format in which the table is created, if it does not exist
     */
    public static LakeTable named(
            org.apache.spark.sql.SparkSession spark,
            String name,
            Optional<String> format,
            Map<String, String> options) {
        return new LakeTable(spark, Optional.of(name), format, Optional.empty(), options);
    }

    /** Returns a table of a data source, identified by a path or by options. */
    public static LakeTable of(
            org.apache.spark.sql.SparkSession spark,
            String format,
            Optional<String> path,
            Map<String, String> options) {
        return new LakeTable(spark, Optional.empty(), Optional.of(format), path, options);
    }

    /** Returns the table's name for messages. */
    public String display() {
        return name.or(() -> path).orElseGet(() -> "of " + format.orElseThrow());
    }

    /** Reads the table's rows. If the options select a version, reads this version. */
    public Dataset<Row> read() {
        DataFrameReader reader = spark.read().options(options);
        if (name.isPresent()) {
            if (!spark.catalog().tableExists(name.get())) {
                // Spark would read parquet.`path` as a folder, and would skip files that it cannot read
                throw new BellmanException(
                        ErrorCode.BELLMAN_INPUT_READ,
                        ("the table %s does not exist; check the name with SHOW TABLES, and the settings "
                                        + "spark.sql.catalog.* of its catalogue")
                                .formatted(name.get()));
            }
            return reader.table(name.get());
        }
        reader.format(format.orElseThrow());
        return path.isPresent() ? reader.load(path.get()) : reader.load();
    }

    /**
     * Returns options that select the current version of the table, so that later reads return the same rows; empty if
     * the table's options already select a version, a branch, a tag or a range of versions, or if the table does not
     * exist or has no versions.
     */
    public Map<String, String> pin() {
        if (has(FIXED) || has(CHOOSING)) {
            return Map.of();
        }
        return lookup.find()
                .flatMap(this::version)
                .map(version -> Map.of(VERSION, version))
                .orElse(Map.of());
    }

    /** Whether the options select a specific version, so that every read returns the same rows. */
    public boolean isFixed() {
        return has(FIXED);
    }

    private boolean has(Set<String> keys) {
        return options.keySet().stream().anyMatch(key -> keys.contains(key.toLowerCase(Locale.ROOT)));
    }

    private Optional<String> version(Table table) {
        return switch (provider(table)) {
            // "none" means that the table has no rows
            case ICEBERG ->
                Optional.ofNullable(table.properties().get("current-snapshot-id"))
                        .filter(id -> id.matches("-?\\d+"));
            case DELTA -> Optional.of(lastDeltaVersion());
            default -> Optional.empty();
        };
    }

    private static String provider(Table table) {
        return String.valueOf(table.properties().get(TableCatalog.PROP_PROVIDER))
                .toLowerCase(Locale.ROOT);
    }

    private String lastDeltaVersion() {
        String quoted =
                name.orElseGet(() -> "delta.`%s`".formatted(path.orElseThrow().replace("`", "``")));
        try {
            return spark.sql("DESCRIBE HISTORY %s LIMIT 1".formatted(quoted))
                    .select(col("version").cast("string"))
                    .first()
                    .getString(0);
        } catch (Exception e) {
            if (e instanceof AnalysisException analysis && "PARSE_SYNTAX_ERROR".equals(analysis.getCondition())) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_CONFIGURATION,
                        ("the session cannot read the history of the Delta table %s; set "
                                        + "spark.sql.extensions=io.delta.sql.DeltaSparkSessionExtension and "
                                        + "spark.sql.catalog.spark_catalog="
                                        + "org.apache.spark.sql.delta.catalog.DeltaCatalog")
                                .formatted(display()),
                        e);
            }
            throw e;
        }
    }

    /** Whether the table is known to exist; false if the source cannot tell. */
    public boolean exists() {
        return lookup.find().isPresent();
    }

    /**
     * Returns the path of the table or, if it has no path, the location in the catalogue. Empty if the catalogue
     * contains no location, or if Hadoop does not support the location's file system.
     */
    public Optional<String> folder() {
        return path.or(() -> lookup.find()
                .map(table -> table.properties().get(TableCatalog.PROP_LOCATION))
                .filter(location -> {
                    try {
                        return new Path(location).getFileSystem(lookup.configuration()) != null;
                    } catch (IOException | IllegalArgumentException e) {
                        // a catalogue can access its files through a different file system
                        return false;
                    }
                }));
    }

    /**
     * Checks that the table can be written in a single commit.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_OUTPUT_UNSAFE} if the path of a new table is a folder that
     *     contains other files; {@link ErrorCode#BELLMAN_JOB_FILE} if its catalogue does not support transactions, or
     *     if a table at a path does not exist and Spark cannot create it
     */
    public void mustBeTransactional() {
        Optional<Table> found = lookup.find();
        if (name.isPresent()) {
            boolean able = found.map(table -> !(table instanceof V1Table))
                    .orElseGet(() -> lookup.catalog() instanceof StagingTableCatalog);
            if (!able) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_JOB_FILE,
                        ("the catalogue of the output %s cannot replace a table atomically; use a table in a Delta or "
                                        + "Iceberg catalogue, or write files to output.path")
                                .formatted(display()));
            }
        } else if (path.isPresent() && lookup.knowsWhetherItExists() && found.isEmpty()) {
            if (!format.orElseThrow().equals(DELTA)) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_JOB_FILE,
                        ("no %s table exists at %s, and Spark cannot create one at a path; use a catalogue table with "
                                        + "output.table, or create the table at this path first")
                                .formatted(format.get(), display()));
            }
            if (lookup.hasFilesWithoutLog()) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_OUTPUT_UNSAFE,
                        ("the output %s contains files and is not a Delta table; table maintenance would eventually "
                                        + "delete these files. Choose a different folder")
                                .formatted(display()));
            }
        }
    }

    /**
     * Returns the columns by which an existing table is partitioned, either directly or through a transform such as
     * {@code days(time)}.
     */
    public List<String> partitioning() {
        return lookup.find().stream()
                .flatMap(table -> Arrays.stream(table.partitioning()))
                .map(transform -> transform.name().equals("identity")
                        ? String.join(".", transform.references()[0].fieldNames())
                        : transform.describe())
                .toList();
    }

    /**
     * Writes the rows in a single commit.
     *
     * @param mode what happens to an existing table; {@code Overwrite} replaces its rows, or a
     *     {@linkplain #replacesPart part} of them, but keeps its columns, partitioning, properties and earlier versions
     * @param partitionBy the columns by which the table is partitioned if it is created
     */
    public void write(Dataset<Row> rows, SaveMode mode, List<String> partitionBy) {
        if (name.isPresent()) {
            writeNamed(rows, mode, partitionBy);
            return;
        }
        DataFrameWriter<Row> writer = rows.write().format(format.orElseThrow()).options(options);
        boolean creates = lookup.knowsWhetherItExists() && !exists();
        writer.mode(creates ? SaveMode.ErrorIfExists : mode);
        if (creates && lookup.isDeltaPath()) {
            // an interrupted run leaves files behind; because of this log folder, they are attributed to the run
            lookup.makeLogFolder();
        }
        if (creates || !lookup.knowsWhetherItExists()) {
            writer.partitionBy(partitionBy.toArray(String[]::new));
        }
        if (path.isPresent()) {
            writer.save(path.get());
        } else {
            writer.save();
        }
    }

    private void writeNamed(Dataset<Row> rows, SaveMode mode, List<String> partitionBy) {
        DataFrameWriterV2<Row> writer = rows.writeTo(name.orElseThrow());
        try {
            if (!exists()) {
                CreateTableWriter<Row> creation = format.map(writer::using).orElse(writer);
                Column[] columns = partitionBy.stream()
                        .map(column -> col("`%s`".formatted(column.replace("`", "``"))))
                        .toArray(Column[]::new);
                if (columns.length > 0) {
                    creation = creation.partitionedBy(columns[0], Arrays.copyOfRange(columns, 1, columns.length));
                }
                creation.options(options).create();
            } else if (mode == SaveMode.ErrorIfExists || mode == SaveMode.Ignore) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_OUTPUT_EXISTS,
                        ("a different session created the table %s during this run; run the job again, or choose a "
                                        + "different table")
                                .formatted(name.get()));
            } else if (mode == SaveMode.Append) {
                writer.options(options).append();
            } else if (option("replaceWhere").isPresent()) {
                writer.options(without("replaceWhere"))
                        .overwrite(expr(option("replaceWhere").get()));
            } else if (replacesPartitions()) {
                writer.options(options).overwritePartitions();
            } else {
                writer.options(options).overwrite(lit(true));
            }
        } catch (AnalysisException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether {@code overwrite} keeps some of the existing rows. */
    public boolean replacesPart() {
        return option("replaceWhere").isPresent() || replacesPartitions();
    }

    /** Whether Delta's or Iceberg's options limit {@code overwrite} to some partitions. */
    private boolean replacesPartitions() {
        return option("partitionOverwriteMode")
                .or(() -> option("overwrite-mode"))
                .filter("dynamic"::equalsIgnoreCase)
                .isPresent();
    }

    private Map<String, String> without(String key) {
        Map<String, String> others = new HashMap<>(options);
        others.keySet().removeIf(key::equalsIgnoreCase);
        return others;
    }

    private Optional<String> option(String key) {
        return options.entrySet().stream()
                .filter(option -> option.getKey().equalsIgnoreCase(key))
                .map(Map.Entry::getValue)
                .findFirst();
    }
}
