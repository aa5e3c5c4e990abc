package dev.bellman.job.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.NamedFiles;
import dev.bellman.job.format.Format;
import dev.bellman.job.format.ParquetRows;
import dev.bellman.job.output.PathPattern;
import dev.bellman.job.spec.CommandName;
import dev.bellman.job.table.LakeTable;
import dev.bellman.job.terminal.Failures;
import dev.bellman.job.terminal.Printable;
import dev.bellman.job.terminal.TextTable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.SparkHadoopUtil;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bellman show}: prints a few rows of an output, and a summary of its report. */
@Command(
        name = "show",
        footer = {"", CommandName.SPARK_OPTIONS},
        mixinStandardHelpOptions = true,
        description = "Prints a few rows of an output, whatever its format, and a summary of its report.")
public final class ShowCommand implements Runnable {

    private static final String REPORT = "_bellman/report.json";

    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "OUTPUT",
            description = "a job's output, the folder of its reports, a folder or file in any input format, or a "
                    + "table name")
    private String output;

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "10",
            description = "number of rows to print (default: ${DEFAULT-VALUE})")
    private int rows;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        if (stored(out)) {
            return;
        }
        try (Session session = Session.open("bellman: show " + output)) {
            show(session.spark(), out);
        } catch (IOException e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_READ, "cannot read %s: %s".formatted(output, Failures.line(e)), e);
        }
    }

    /**
     * Shows Parquet files without opening a session. Returns false if a session is needed, either because the output
     * does not consist of Parquet files or because an error occurs.
     */
    private boolean stored(PrintWriter out) {
        try {
            Configuration configuration = SparkHadoopUtil.get().newConfiguration(new SparkConf());
            Path folder = new Path(output);
            Optional<JsonNode> report = report(folder.getFileSystem(configuration), new Path(folder, REPORT));
            Optional<ParquetRows> files = ParquetRows.of(output, configuration);
            if (files.isEmpty()) {
                return false;
            }
            List<String> names = List.of(files.get().schema().fieldNames());
            show(TextTable.of(names, files.get().first(Math.max(0, rows))), report, out);
            return true;
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }

    private void show(SparkSession spark, PrintWriter out) throws IOException {
        Optional<JsonNode> report = Optional.empty();
        Dataset<Row> found;
        if (isPath(spark)) {
            Path folder = new Path(output);
            FileSystem files = folder.getFileSystem(spark.sparkContext().hadoopConfiguration());
            report = report(files, new Path(folder, REPORT));
            found = rows(spark, files, folder, report);
        } else {
            found = LakeTable.named(spark, output, Optional.empty(), Map.of()).read();
        }
        show(TextTable.of(found, rows), report, out);
    }

    private void show(String table, Optional<JsonNode> report, PrintWriter out) {
        out.print(table);
        report.ifPresent(told -> {
            out.println("%s: %s"
                    .formatted(
                            Printable.text(told.at("/job/name").asText()),
                            Printable.text(told.path("summary").asText())));
            out.println("  started %s; the report page is %s/_bellman/report.html"
                    .formatted(Printable.text(told.path("started").asText()), output));
        });
        out.flush();
    }

    /** Whether the path exists; fails if there is neither a path nor a table with this name. */
    private boolean isPath(SparkSession spark) throws IOException {
        boolean path;
        try {
            Path folder = new Path(output);
            path = folder.getFileSystem(spark.sparkContext().hadoopConfiguration())
                    .exists(folder);
        } catch (IllegalArgumentException e) {
            path = false;
        }
        if (!path && (output.contains("/") || !spark.catalog().tableExists(output))) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_READ,
                    ("no output exists at %s, and no table has that name; relative paths are resolved against "
                                    + "the working directory")
                            .formatted(output));
        }
        return path;
    }

    /** Returns the rows of an output or, if a folder contains the reports of a table, the rows of that table. */
    private Dataset<Row> rows(SparkSession spark, FileSystem files, Path folder, Optional<JsonNode> report) {
        Map<String, String> options = new LinkedHashMap<>();
        report.ifPresent(found -> found.at("/job/output/options")
                .properties()
                .forEach(
                        option -> options.put(option.getKey(), option.getValue().asText())));
        Optional<String> table = report.flatMap(found -> text(found, "/job/output/table"));
        if (table.isPresent()) {
            return LakeTable.named(spark, table.get(), Optional.empty(), Map.of())
                    .read();
        }
        Optional<Format> format = report.flatMap(found -> text(found, "/job/output/format"))
                .flatMap(Format::named)
                .or(() -> lakeFormat(files, folder))
                .or(() -> formatOfFiles(files, folder));
        if (format.isEmpty()) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_FORMAT,
                    "%s contains neither a report nor a file in a supported format".formatted(output));
        }
        if (format.get().isTable()) {
            Optional<String> path =
                    report.isPresent() ? report.flatMap(found -> text(found, "/job/output/path")) : Optional.of(output);
            return LakeTable.of(spark, format.get().name(), path, path.isPresent() ? Map.of() : options)
                    .read();
        }
        return format.get().reader(spark, options).load(PathPattern.literal(output));
    }

    private static Optional<String> text(JsonNode report, String path) {
        return Optional.of(report.at(path).asText()).filter(text -> !text.isEmpty());
    }

    /** Returns the table format of a folder, which can be recognized by the names in the folder. */
    private static Optional<Format> lakeFormat(FileSystem files, Path folder) {
        try {
            if (files.exists(new Path(folder, "_delta_log"))) {
                return Format.named("delta");
            }
            return files.exists(new Path(folder, "metadata")) ? Format.named("iceberg") : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Optional<JsonNode> report(FileSystem files, Path path) throws IOException {
        try (InputStream stream = NamedFiles.open(files, path)) {
            return Optional.of(new ObjectMapper().readTree(stream));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }

    private static Optional<Format> formatOfFiles(FileSystem files, Path path) {
        try {
            FileStatus status = files.getFileStatus(path);
            if (!status.isDirectory()) {
                return Format.of(path.getName());
            }
            for (FileStatus child : files.listStatus(path)) {
                String name = child.getPath().getName();
                Optional<Format> format = child.isDirectory() && name.contains("=")
                        ? formatOfFiles(files, child.getPath())
                        : name.startsWith("_") || name.startsWith(".") || child.isDirectory()
                                ? Optional.empty()
                                : Format.of(name);
                if (format.isPresent()) {
                    return format;
                }
            }
            return Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
