package dev.bellman.job.format;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.schema.Type;

/** Counts rows and NULLs from the footers of Parquet files, without a query, which would take longer to start. */
public final class ParquetFooters {
    /** The maximum number of files that the driver opens. If there are more files, a query reads them faster. */
    private static final int MAX_FILES = 1_000;

    private ParquetFooters() {}

    /** Returns the number of rows in files; empty if there are too many files or a file cannot be read. */
    public static OptionalLong rows(List<Path> files, Configuration configuration) {
        Optional<List<Footer>> footers = footers(files.stream()
                .<Opened>map(path -> () -> HadoopInputFile.fromPath(path, configuration))
                .toList());
        return footers.isEmpty() ? OptionalLong.empty() : OptionalLong.of(rows(footers.get()));
    }

    /**
     * Returns the columns that contain no NULL in any of a folder's files. Columns of arrays and structs are never
     * included, because footers describe only their elements. Returns an empty set if the folder contains too many
     * files or anything other than Parquet files, if a footer cannot be read, or if the total number of rows is not
     * {@code rows}.
     */
    public static Set<String> columnsWithoutNulls(String folder, long rows, Configuration configuration)
            throws IOException {
        Optional<List<FileStatus>> files = ParquetRows.files(folder, configuration);
        if (files.isEmpty()) {
            return Set.of();
        }
        List<Footer> footers = footers(files.get().stream()
                        .<Opened>map(file -> () -> HadoopInputFile.fromStatus(file, configuration))
                        .toList())
                .orElse(List.of());
        if (footers.isEmpty() || rows(footers) != rows) {
            return Set.of();
        }
        Set<String> columns = new HashSet<>(footers.get(0).withoutNulls);
        footers.forEach(footer -> columns.retainAll(footer.withoutNulls));
        return columns;
    }

    private static long rows(List<Footer> footers) {
        return footers.stream().mapToLong(Footer::rows).sum();
    }

    private static Optional<List<Footer>> footers(List<Opened> files) {
        if (files.size() > MAX_FILES) {
            return Optional.empty();
        }
        List<Footer> footers =
                files.parallelStream().map(Footer::of).flatMap(Optional::stream).toList();
        return footers.size() < files.size() ? Optional.empty() : Optional.of(footers);
    }

    private interface Opened {
        InputFile open() throws IOException;
    }

    /** @param withoutNulls the columns of the file that contain no NULL */
    private record Footer(long rows, Set<String> withoutNulls) {
        /** Returns a file's footer; empty if it cannot be read. */
        static Optional<Footer> of(Opened file) {
            try (ParquetFileReader reader = ParquetFileReader.open(file.open())) {
                Set<String> columns = new HashSet<>();
                for (Type field : reader.getFileMetaData().getSchema().getFields()) {
                    if (field.isPrimitive()) {
                        columns.add(field.getName());
                    }
                }
                for (BlockMetaData block : reader.getFooter().getBlocks()) {
                    for (ColumnChunkMetaData column : block.getColumns()) {
                        Statistics<?> statistics = column.getStatistics();
                        if (statistics == null || !statistics.isNumNullsSet() || statistics.getNumNulls() > 0) {
                            columns.remove(column.getPath().toArray()[0]);
                        }
                    }
                }
                return Optional.of(new Footer(reader.getRecordCount(), columns));
            } catch (IOException | RuntimeException e) {
                return Optional.empty();
            }
        }
    }
}
