package dev.bellman.job.run;

import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.hadoop.HadoopTables;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Contains the code that {@link LakeTest} and {@link LakeRulesTest} share. */
abstract class LakeFixture {
    /**
     * The folder for tables, which all tests share because catalogues are configured only once. Each test uses its own
     * table names.
     */
    @TempDir
    static Path lake;

    static SparkSession shared;
    static SparkSession spark;
    static int tables;

    @TempDir
    Path folder;

    enum Table {
        DELTA_PATH,
        DELTA_NAME,
        ICEBERG_PATH,
        ICEBERG_NAME;

        boolean isNamed() {
            return this == DELTA_NAME || this == ICEBERG_NAME;
        }

        String format() {
            return name().substring(0, name().indexOf('_')).toLowerCase(Locale.ROOT);
        }

        /** Returns a name or a path that no other test uses. */
        String fresh() {
            tables++;
            return switch (this) {
                case DELTA_NAME -> "default.t" + tables;
                case ICEBERG_NAME -> "lake.db.t" + tables;
                default -> lake.resolve("paths/t" + tables).toString();
            };
        }
    }

    /** The extensions of a session cannot change, so these tests have a separate session. */
    @BeforeAll
    static void start() {
        shared = LocalSpark.session();
        spark = LakeSession.start(lake);
    }

    @AfterAll
    static void restore() {
        SparkSession.setActiveSession(shared);
        SparkSession.setDefaultSession(shared);
    }

    Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    /** Runs a job on pairs in a file. */
    CommandLineRun run(Table table, String name, Path input, String... more) {
        return run(Stream.concat(
                        Stream.of("--problem=edit_distance", "--input=" + input),
                        Stream.concat(into(table, name), Stream.of(more)))
                .toArray(String[]::new));
    }

    static CommandLineRun run(String... flags) {
        return CommandLineRun.of(
                Stream.concat(Stream.of("run"), Stream.of(flags)).toArray(String[]::new));
    }

    Stream<String> into(Table table, String name) {
        return Stream.of(
                "--output-reports=" + folder.resolve("reports"),
                "--output-format=" + table.format(),
                (table.isNamed() ? "--output-table=" : "--output=") + name);
    }

    static String[] from(Table table, String name, String... more) {
        return Stream.concat(
                        table.isNamed()
                                ? Stream.of("--input-table=" + name)
                                : Stream.of("--input-format=" + table.format(), "--input=" + name),
                        Stream.of(more))
                .toArray(String[]::new);
    }

    static Dataset<Row> read(Table table, String name) {
        return table.isNamed()
                ? spark.read().table(name)
                : spark.read().format(table.format()).load(name);
    }

    static List<String> rows(Table table, String name) {
        return LocalSpark.lines(read(table, name));
    }

    /** Returns how many commits the table has. */
    static long versions(Table table, String name) {
        return switch (table) {
            case DELTA_PATH ->
                spark.sql("DESCRIBE HISTORY delta.`%s`".formatted(name)).count();
            case DELTA_NAME -> spark.sql("DESCRIBE HISTORY " + name).count();
            case ICEBERG_PATH ->
                spark.read().format("iceberg").load(name + "#snapshots").count();
            case ICEBERG_NAME -> spark.read().table(name + ".snapshots").count();
        };
    }

    static void create(Table table, String name, String query, String partition) {
        Dataset<Row> rows = spark.sql(query);
        if (table.isNamed()) {
            try {
                rows.writeTo(name)
                        .using(table.format())
                        .partitionedBy(rows.col(partition))
                        .create();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        } else if (table == Table.ICEBERG_PATH) {
            emptyTable(name, rows.schema(), partition);
            rows.write().format("iceberg").mode("append").save(name);
        } else {
            rows.write().format("delta").partitionBy(partition).save(name);
        }
    }

    /** Creates an empty Iceberg table at a path, which Spark itself cannot do. */
    static void emptyTable(String path, StructType columns, String partition) {
        Schema schema = SparkSchemaUtil.convert(columns);
        new HadoopTables(spark.sparkContext().hadoopConfiguration())
                .create(
                        schema,
                        PartitionSpec.builderFor(schema).identity(partition).build(),
                        path);
    }

    static CommandLineRun run(String one, String two, Stream<String> into, String... more) {
        return run(Stream.of(Stream.of(one, two), into, Stream.of(more))
                .flatMap(flags -> flags)
                .toArray(String[]::new));
    }

    static String location(String name) {
        return spark.sql("DESCRIBE EXTENDED " + name)
                .where("col_name = 'Location'")
                .first()
                .getString(1)
                .replaceFirst("^file:", "");
    }
}
