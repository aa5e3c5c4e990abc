package dev.bellman.job.rows;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.Strategies;
import dev.bellman.job.format.Format;
import dev.bellman.job.output.PathPattern;
import dev.bellman.job.output.StagedOutput;
import dev.bellman.job.spec.Job;
import dev.bellman.job.spec.JobKeys;
import dev.bellman.job.table.LakeTable;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Checks whether rows fit an existing output to which they are appended, or a table whose rows they replace. Spark
 * itself would add files of any kind to any folder, so readers might miss columns or confuse them.
 */
public final class Appending {
    private final Job job;
    private final StagedOutput output;

    public Appending(Job job, StagedOutput output) {
        this.job = job;
        this.output = output;
    }

    /**
     * Examines one of an output's files to check the format, the partition folders and the columns.
     *
     * @param rows the rows to append
     * @throws BellmanException {@link ErrorCode#BELLMAN_JOB_FILE} if one of these differs from that of the rows
     */
    public void mustFit(SparkSession spark, Dataset<Row> rows) {
        Optional<String> present =
                output.present().stream().filter(Appending::isData).findFirst();
        if (present.isEmpty()) {
            return;
        }
        String file = present.get();
        Format format = job.get(JobKeys.OUTPUT_FORMAT);
        Format.of(file).filter(found -> !found.equals(format)).ifPresent(found -> {
            throw differs("contains %s files, not %s".formatted(found, format));
        });
        List<String> folders = Stream.of(file.split("/"))
                .filter(part -> part.contains("=") && !file.endsWith("/" + part) && !file.equals(part))
                .map(part -> part.substring(0, part.indexOf('=')))
                .toList();
        List<String> wanted = job.get(JobKeys.OUTPUT_PARTITION_BY);
        if (!lower(folders).equals(lower(wanted))) {
            throw differs("is %s, while the job's rows are %s".formatted(partitioned(folders), partitioned(wanted)));
        }
        StructType written = format.reader(spark, job.get(JobKeys.OUTPUT_OPTIONS))
                .load(PathPattern.literal(output.path() + "/" + file))
                .schema();
        StructType ours = new StructType(Arrays.stream(rows.schema().fields())
                .filter(field -> !lower(wanted).contains(field.name().toLowerCase(Locale.ROOT)))
                .toArray(StructField[]::new));
        if (!format.haveSameColumns(written, ours, job.get(JobKeys.OUTPUT_OPTIONS))) {
            throw differs("has the columns (%s), while the job's rows would have (%s)"
                    .formatted(columns(written), columns(ours)));
        }
    }

    /**
     * Checks the columns and partitioning of a table before rows are added to it or replace its rows. Without this
     * check, Delta would fill a column that the rows lack with NULL.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_JOB_FILE} if the names of the columns differ, or if the job
     *     sets {@code output.partitionBy} and the partitioning differs
     */
    public static void mustFit(Job job, LakeTable table, Dataset<Row> rows) {
        if (!table.exists()) {
            return;
        }
        List<String> present = lower(List.of(table.read().columns()));
        List<String> ours = lower(List.of(rows.columns()));
        if (!Set.copyOf(present).equals(Set.copyOf(ours))) {
            throw differs(
                    job,
                    table.display(),
                    "has the columns (%s), while the job's rows would have (%s)"
                            .formatted(String.join(", ", present), String.join(", ", ours)));
        }
        List<String> wanted = job.get(JobKeys.OUTPUT_PARTITION_BY);
        if (!wanted.isEmpty() && !lower(table.partitioning()).equals(lower(wanted))) {
            throw differs(
                    job,
                    table.display(),
                    "is %s, while the job's rows are %s"
                            .formatted(partitioned(table.partitioning()), partitioned(wanted)));
        }
    }

    /**
     * Whether a file contains data: it is not hidden, and it has the extension of a format, or any extension and a name
     * that begins with {@code part-}.
     */
    private static boolean isData(String file) {
        List<String> parts = List.of(file.split("/"));
        return parts.stream().noneMatch(part -> part.startsWith("_") || part.startsWith("."))
                && parts.get(parts.size() - 1).contains(".")
                && (Format.of(file).isPresent() || parts.get(parts.size() - 1).startsWith("part-"));
    }

    private static List<String> lower(List<String> names) {
        return names.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
    }

    private static String partitioned(List<String> columns) {
        return columns.isEmpty() ? "not partitioned" : "partitioned by " + String.join(", ", columns);
    }

    private static String columns(StructType schema) {
        return Arrays.stream(schema.fields())
                .map(field -> field.name() + " " + field.dataType().sql())
                .collect(Collectors.joining(", "));
    }

    private BellmanException differs(String how) {
        return differs(job, output.display(), how);
    }

    private static BellmanException differs(Job job, String output, String how) {
        return new BellmanException(
                ErrorCode.BELLMAN_JOB_FILE,
                ("output.mode is %s, but the output %s %s; choose a different output, or use the same settings as the "
                                + "job that wrote the existing output")
                        .formatted(Strategies.name(job.get(JobKeys.OUTPUT_MODE)), output, how));
    }
}
