package dev.bellman.job.run;

import dev.bellman.job.cluster.ClusterSummary;
import dev.bellman.job.format.Format;
import dev.bellman.job.format.ParquetRows;
import dev.bellman.job.format.WrittenRows;
import dev.bellman.job.table.LakeTable;
import dev.bellman.job.terminal.Printable;
import dev.bellman.job.terminal.TextTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.orc.OrcFile;
import org.apache.orc.Reader;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;

/**
 * A few rows of an output for the terminal. Skips files that could fill the memory, for example because one row is
 * huge: a preview must not make the run fail.
 */
final class Preview {
    private static final int ROWS = 5;
    /** The number of files that are tried. The first files of an output may be empty. */
    private static final int FILES = 4;

    private static final long MAX_BYTES = 16 << 20;
    /** The maximum factor by which a file grows when a text codec decompresses it. */
    private static final long EXPANSION = 1000;

    private final List<String> names = new ArrayList<>();
    private final Optional<LakeTable> lakeTable;
    private final Optional<String> known;

    private Preview(Optional<LakeTable> lakeTable, Optional<String> known) {
        this.lakeTable = lakeTable;
        this.known = known;
    }

    /** Previews a table. Its rows may be from earlier runs, because rows do not show which run wrote them. */
    static Preview of(LakeTable table) {
        return new Preview(Optional.of(table), Optional.empty());
    }

    static Preview of(WrittenRows rows, StructType schema) {
        return new Preview(
                Optional.empty(), Optional.of(TextTable.of(List.of(schema.fieldNames()), rows.first(schema, ROWS))));
    }

    /** Returns a table of the largest clusters, each with the strings that connect it. */
    static String of(ClusterSummary clusters) {
        List<List<String>> rows = clusters.largest().stream()
                .limit(ROWS)
                .map(each -> List.of(
                        Printable.text(each.id()),
                        Long.toString(each.rows()),
                        Long.toString(each.strings()),
                        Printable.text(each.hubs().stream()
                                .map(ClusterSummary.Hub::text)
                                .collect(Collectors.joining(", ")))))
                .toList();
        return rows.isEmpty()
                ? ""
                : TextTable.of(List.of("cluster", "rows", "strings", "with"), rows, TextTable.width());
    }

    /**
     * Chooses files of a run to show, before the commit mixes them with files of earlier runs. If no query is needed to
     * read them, reads the rows to show.
     */
    static Preview of(String folder, Format format, Configuration configuration) {
        Preview preview = new Preview(Optional.empty(), Optional.empty());
        try {
            Path path = new Path(folder);
            FileSystem fileSystem = path.getFileSystem(configuration);
            preview.choose(fileSystem, path, "", format, configuration);
            if (format == Format.PARQUET && preview.names.stream().noneMatch(name -> name.contains("/"))) {
                return read(fileSystem, path, preview.names, configuration).orElse(preview);
            }
        } catch (IOException | RuntimeException e) {
            preview.names.clear();
        }
        return preview;
    }

    /** Reads the rows to show without a query; empty if only a query can read the files. */
    private static Optional<Preview> read(
            FileSystem fileSystem, Path folder, List<String> names, Configuration configuration) throws IOException {
        List<FileStatus> files = new ArrayList<>();
        for (String name : names) {
            files.add(fileSystem.getFileStatus(new Path(folder, name)));
        }
        Optional<ParquetRows> rows = files.isEmpty() ? Optional.empty() : ParquetRows.of(files, configuration);
        if (rows.isEmpty()) {
            return Optional.empty();
        }
        List<String> columns = List.of(rows.get().schema().fieldNames());
        return Optional.of(new Preview(
                Optional.empty(), Optional.of(TextTable.of(columns, rows.get().first(ROWS)))));
    }

    /** Chooses files from a folder and its partition folders. */
    private void choose(FileSystem fileSystem, Path folder, String prefix, Format format, Configuration configuration)
            throws IOException {
        FileStatus[] children = fileSystem.listStatus(folder);
        Arrays.sort(children);
        for (FileStatus child : children) {
            String name = child.getPath().getName();
            if (names.size() == FILES) {
                return;
            }
            if (child.isDirectory() && name.contains("=")) {
                choose(fileSystem, child.getPath(), prefix + name + "/", format, configuration);
            } else if (name.startsWith("part-") && bytes(child, format, configuration) <= MAX_BYTES) {
                names.add(prefix + name);
            }
        }
    }

    /**
     * Returns the expected size of a file after decompression; for a file that is larger than the limit even before
     * decompression, returns its length.
     */
    private static long bytes(FileStatus file, Format format, Configuration configuration) throws IOException {
        if (file.getLen() > MAX_BYTES) {
            return file.getLen();
        }
        if (format == Format.PARQUET) {
            try (ParquetFileReader reader = ParquetFileReader.open(HadoopInputFile.fromStatus(file, configuration))) {
                return reader.getFooter().getBlocks().stream()
                        .mapToLong(BlockMetaData::getTotalByteSize)
                        .sum();
            }
        }
        if (format == Format.ORC) {
            try (Reader reader = OrcFile.createReader(file.getPath(), OrcFile.readerOptions(configuration))) {
                return reader.getRawDataSize();
            }
        }
        boolean plain = file.getPath().getName().matches(".*\\.(csv|json)");
        return plain ? file.getLen() : file.getLen() * EXPANSION;
    }

    /**
     * Returns the rows as a table; empty if there are no rows, or if they cannot be read.
     *
     * @param folder the output folder
     * @param reader opens files
     */
    String table(String folder, Function<List<String>, Dataset<Row>> reader) {
        try {
            if (lakeTable.isPresent()) {
                return TextTable.of(lakeTable.get().read(), ROWS);
            }
            if (known.isPresent() || names.isEmpty()) {
                return known.orElse("");
            }
            return TextTable.of(
                    reader.apply(names.stream().map(name -> folder + "/" + name).toList()), ROWS);
        } catch (Exception e) {
            return "";
        }
    }
}
