package dev.bellman.job;

import dev.bellman.Strategies;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A file format of inputs and outputs: Spark's data source, its options by default, and the file names that mean it. */
enum Format {
    PARQUET("parquet", Map.of(), true, "parquet"),
    ORC("orc", Map.of(), true, "orc"),
    CSV("csv", Map.of("header", "true"), true, "csv"),
    /** Fields of a TSV file are not quoted. */
    TSV("csv", Map.of("header", "true", "sep", "\t", "quote", ""), true, "tsv", "tab"),
    JSON("json", Map.of(), true, "json", "jsonl", "ndjson"),
    FASTA("fasta", Map.of(), false, "fasta", "fa", "fna", "faa", "ffn", "frn"),
    FASTQ("fastq", Map.of(), false, "fastq", "fq");

    private static final List<String> COMPRESSIONS =
            List.of(".gz", ".bz2", ".zst", ".xz", ".lz4", ".snappy", ".deflate");

    private final String source;
    private final Map<String, String> options;
    private final boolean writable;
    private final List<String> extensions;

    Format(String source, Map<String, String> options, boolean writable, String... extensions) {
        this.source = source;
        this.options = options;
        this.writable = writable;
        this.extensions = List.of(extensions);
    }

    /** The short name of Spark's data source. */
    String source() {
        return source;
    }

    /** What readers and writers are told unless the job says otherwise. */
    Map<String, String> options() {
        return options;
    }

    /** Whether the files of this format are read by {@code sequence}, with one sequence a row. */
    boolean sequences() {
        return this == FASTA || this == FASTQ;
    }

    static List<String> readable() {
        return Strategies.names(Format.class);
    }

    static List<String> writable() {
        return Arrays.stream(values())
                .filter(format -> format.writable)
                .map(Strategies::name)
                .toList();
    }

    /** The format that a file name ends in, a compression stripped; Parquet where it has no extension, a folder say. */
    static Optional<Format> of(String path) {
        String name = path.substring(path.replaceAll("/+$", "").lastIndexOf('/') + 1)
                .replaceAll("/+$", "")
                .toLowerCase(Locale.ROOT);
        for (String compression : COMPRESSIONS) {
            if (name.endsWith(compression)) {
                name = name.substring(0, name.length() - compression.length());
            }
        }
        int dot = name.lastIndexOf('.');
        if (dot <= 0) {
            return Optional.of(PARQUET);
        }
        String extension = name.substring(dot + 1);
        return Arrays.stream(values())
                .filter(format -> format.extensions.contains(extension))
                .findFirst();
    }
}
