package dev.bellman.job.input;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bellman.job.CommandLineRun;
import dev.bellman.job.LocalSpark;
import dev.bellman.job.Thorough;
import dev.bellman.job.terminal.ExitCode;
import dev.bellman.job.text.Mutations;
import dev.bellman.job.text.PlainReaders;
import dev.bellman.job.text.PlainReaders.Found;
import dev.bellman.job.text.TestFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs jobs on mutated files, as from the command line. Each run ends with a documented exit code and at most one error
 * line, and its output contains either the rows that {@link PlainReaders} returns, or the original rows of the file.
 */
class InputFuzzTest {
    private static final int RUNS = 4;

    /** The number of files per format for {@link Thorough#seeds}. */
    private static final int MANY = 750;

    private static final String SPLIT_SIZE = "spark.sql.files.maxPartitionBytes";

    private final SparkSession spark = LocalSpark.session();

    @TempDir
    Path folder;

    private final Map<String, Integer> outcomes = new TreeMap<>();

    @AfterEach
    void oneSplitAgain() {
        spark.sparkContext().conf().remove(SPLIT_SIZE);
    }

    private CommandLineRun run(Path input, String... more) {
        return CommandLineRun.ofJob(folder, "edit_distance", input, List.of("--output-mode=overwrite"), more);
    }

    /** Checks that a run ends with an exit code, and prints a single line if it fails. */
    private ExitCode expectACode(CommandLineRun run, String what) {
        assertThat(run.code()).as("%s: %s", what, run.err()).isIn(ExitCode.DONE, ExitCode.QUARANTINED, ExitCode.INPUT);
        if (run.code() == ExitCode.INPUT) {
            assertThat(run.err()).as(what).startsWith("error: [BELLMAN_").hasLineCount(1);
        } else {
            assertThat(run.err()).as(what).isEmpty();
        }
        outcomes.merge(run.code().name(), 1, Integer::sum);
        return run.code();
    }

    private long reported(String count) throws IOException {
        JsonNode report = CommandLineRun.report(folder.resolve("out"));
        return report.at("/" + count).asLong();
    }

    private static String described(String format, int seed, byte[] file) {
        return "%s, seed %d: %s".formatted(format, seed, new String(file, StandardCharsets.ISO_8859_1));
    }

    private void splitInto(Random random) {
        spark.sparkContext().conf().set(SPLIT_SIZE, random.nextBoolean() ? "1000000" : "" + (60 + random.nextInt(60)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"fasta", "fastq"})
    void sequences(String format) throws IOException {
        sequences(format, IntStream.range(0, RUNS));
        assertThat(outcomes).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fasta", "fastq"})
    @Tag("thorough")
    void manySequences(String format) throws IOException {
        sequences(format, Thorough.seeds(MANY));
    }

    private void sequences(String format, IntStream seeds) throws IOException {
        for (int seed : seeds.toArray()) {
            Random random = new Random(seed);
            byte[] file = Mutations.mutate(Mutations.file(format, random), random);
            splitInto(random);
            Path input = Files.write(folder.resolve("in." + format), file);
            String what = described(format, seed, file);
            Found expected = format.equals("fasta") ? PlainReaders.fasta(file) : PlainReaders.fastq(file);

            ExitCode code = expectACode(
                    run(
                            input,
                            "--argument=sequence",
                            "--argument=sequence",
                            "--keep=description,sequence" + (format.equals("fastq") ? ",quality" : "")),
                    what);

            assertThat(code).as(what).isEqualTo(expected.broken() ? ExitCode.INPUT : ExitCode.DONE);
            if (code == ExitCode.DONE) {
                assertThat(LocalSpark.written(folder, "id", "description", "sequence"))
                        .as(what)
                        .isEqualTo(expected.records().stream()
                                .map(record -> record.subList(0, 3).toString().replace(", ", ","))
                                .sorted()
                                .toList());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"csv", "tsv", "json"})
    void records(String format) throws IOException {
        records(format, IntStream.range(0, RUNS));
        assertThat(outcomes).hasSizeGreaterThan(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"csv", "tsv", "json"})
    @Tag("thorough")
    void manyRecords(String format) throws IOException {
        records(format, Thorough.seeds(MANY));
    }

    private void records(String format, IntStream seeds) throws IOException {
        for (int seed : seeds.toArray()) {
            Random random = new Random(seed);
            byte[] file = Mutations.mutate(Mutations.file(format, random), random);
            splitInto(random);
            String badRows = List.of("fail", "null", "quarantine").get(random.nextInt(3));
            Path input = Files.write(folder.resolve("in." + format), file);
            String what = described(format + " with onBadRow: " + badRows, seed, file);
            Found found =
                    switch (format) {
                        case "csv" -> PlainReaders.csv(file);
                        case "tsv" -> PlainReaders.tsv(file);
                        default -> PlainReaders.json(file);
                    };
            List<List<String>> records = new ArrayList<>(found.records());
            boolean columns = !found.broken() && hasColumns(format, records);

            List<String> options = new ArrayList<>(List.of("--on-bad-row=" + badRows));
            if (format.equals("json")) {
                options.add("--input-option=allowSingleQuotes=false");
                options.add("--input-option=allowNonNumericNumbers=false");
            }
            ExitCode code = expectACode(run(input, options.toArray(String[]::new)), what);

            boolean fails = !columns || badRows.equals("fail") && found.malformed() > 0;
            boolean aside = badRows.equals("quarantine") && found.malformed() > 0;
            assertThat(code).as(what).isEqualTo(fails ? ExitCode.INPUT : aside ? ExitCode.QUARANTINED : ExitCode.DONE);
            if (code != ExitCode.INPUT) {
                assertThat(reported("rowsIn")).as(what).isEqualTo(records.size() + found.malformed());
                assertThat(reported("rowsQuarantined")).as(what).isEqualTo(aside ? found.malformed() : 0);
                assertThat(LocalSpark.written(folder, "1"))
                        .as(what)
                        .hasSize(records.size() + (badRows.equals("null") ? found.malformed() : 0));
            }
        }
    }

    /** Whether the input has the columns a and b. Removes the header, if there is one. */
    private static boolean hasColumns(String format, List<List<String>> records) {
        if (!format.equals("json")) {
            return !records.isEmpty() && named(records.remove(0));
        }
        List<String> keys = records.stream()
                .flatMap(record -> record.subList(3, record.size()).stream())
                .distinct()
                .toList();
        return named(keys);
    }

    /**
     * Whether the names include a and b, and no two names differ only in case, because Spark renames or refuses such
     * columns.
     */
    private static boolean named(List<String> names) {
        List<String> lower = names.stream().map(String::toLowerCase).toList();
        return lower.containsAll(List.of("a", "b")) && lower.stream().distinct().count() == lower.size();
    }

    /** Formats that detect damage return the original rows, or fail. */
    @ParameterizedTest
    @ValueSource(strings = {".gz", ".bz2", ".zst", ".xz", ".lz4", ".deflate"})
    void compressedFiles(String suffix) throws IOException {
        compressedFiles(suffix, IntStream.rangeClosed(0, RUNS / 3));
        assertThat(outcomes).containsKeys("DONE", "INPUT");
    }

    @ParameterizedTest
    @ValueSource(strings = {".gz", ".bz2", ".zst", ".xz", ".lz4", ".deflate"})
    @Tag("thorough")
    void manyCompressedFiles(String suffix) throws IOException {
        compressedFiles(suffix, Thorough.seeds(MANY / 3));
    }

    private void compressedFiles(String suffix, IntStream seeds) throws IOException {
        String format = List.of("fasta", "csv", "json").get(suffix.length() % 3);
        for (int seed : seeds.toArray()) {
            Random random = new Random(seed);
            byte[] text = Mutations.file(format, random);
            Path input = TestFiles.compress(text, folder.resolve("in." + format + suffix));
            byte[] file = Files.readAllBytes(input);
            // some files are not mutated
            byte[] mutated = seed % 7 == 0 ? file : Mutations.mutate(file, random);
            Files.write(input, mutated);
            String what = "%s, seed %d".formatted(input, seed);
            int records = format.equals("fasta")
                    ? PlainReaders.fasta(text).records().size()
                    : format.equals("csv")
                            ? PlainReaders.csv(text).records().size() - 1
                            : PlainReaders.json(text).records().size();

            ExitCode code = expectACode(run(input, "--argument=id", "--argument='x'"), what);

            if (code == ExitCode.DONE) {
                assertThat(LocalSpark.written(folder, "1")).as(what).hasSize(records);
            }
        }
    }

    /**
     * Pages have checksums, and magic bytes frame the parts of a file, but data that is only in the footer has no
     * protection.
     */
    @ParameterizedTest
    @ValueSource(strings = {"parquet", "orc"})
    void columnarFiles(String format) throws IOException {
        columnarFiles(format, IntStream.range(0, RUNS));
        assertThat(outcomes).containsKey("INPUT");
    }

    @ParameterizedTest
    @ValueSource(strings = {"parquet", "orc"})
    @Tag("thorough")
    void manyColumnarFiles(String format) throws IOException {
        columnarFiles(format, Thorough.seeds(MANY));
    }

    private void columnarFiles(String format, IntStream seeds) throws IOException {
        Path whole = folder.resolve("whole");
        spark.range(300)
                .selectExpr("cast(id as string) id", "cast(id * 7 as string) a", "cast(id * 11 as string) b")
                .coalesce(1)
                .write()
                .format(format)
                .save(whole.toString());
        byte[] file;
        try (Stream<Path> files = Files.list(whole)) {
            file = Files.readAllBytes(files.filter(each -> each.toString().endsWith(format))
                    .findFirst()
                    .orElseThrow());
        }
        run(Files.write(folder.resolve("in." + format), file), "--keep=a,b");
        List<String> expected = LocalSpark.written(folder, "id", "a", "b");
        int footer = format.equals("parquet")
                ? file.length - 8 - (file[file.length - 8] & 0xff | (file[file.length - 7] & 0xff) << 8)
                : file.length;
        for (int seed : seeds.toArray()) {
            Random random = new Random(seed);
            byte[] mutated = file.clone();
            if (random.nextInt(3) == 0) {
                mutated = Arrays.copyOf(file, random.nextInt(file.length));
            } else {
                for (int i = random.nextInt(3); i >= 0; i--) {
                    mutated[random.nextInt(footer)] ^= (byte) (1 << random.nextInt(8));
                }
            }
            Path input = Files.write(folder.resolve("in." + format), mutated);
            String what = "%s, seed %d".formatted(format, seed);

            ExitCode code = expectACode(run(input, "--keep=a,b"), what);

            if (code == ExitCode.DONE && format.equals("parquet")) {
                assertThat(LocalSpark.written(folder, "id", "a", "b")).as(what).isEqualTo(expected);
            }
        }
    }

    @Test
    void jobFiles() throws IOException {
        jobFiles(IntStream.range(0, 4 * RUNS));
        assertThat(outcomes).hasSize(2);
    }

    @Test
    @Tag("thorough")
    void manyJobFiles() throws IOException {
        jobFiles(Thorough.seeds(4_640));
    }

    private void jobFiles(IntStream seeds) throws IOException {
        Files.writeString(folder.resolve("in.csv"), "id,a,b\n1,x,y\n");
        String job = """
                name: words
                problem: edit_distance
                results: [edit_distance, edit_cigar]
                arguments: [a, "upper(b)"]
                parameters: {max: 3}
                input:
                  path: %s
                  format: csv
                  options: {header: true}
                keep: [a, b]
                engine: cpu
                strategy: serial
                onBadRow: null
                """.formatted(folder.resolve("in.csv"));
        for (int seed : seeds.toArray()) {
            byte[] file = Mutations.mutate(job.getBytes(StandardCharsets.UTF_8), new Random(seed));
            Path path = Files.write(folder.resolve("job.yaml"), file);

            CommandLineRun run =
                    CommandLineRun.of("run", path.toString(), "--dry-run", "--output=" + folder.resolve("dry"));

            String what = described("job file", seed, file) + "\n" + run.err();
            assertThat(run.code()).as(what).isIn(ExitCode.DONE, ExitCode.INPUT);
            assertThat(run.err()).as(what).doesNotContain("\tat ");
            outcomes.merge(run.code().name(), 1, Integer::sum);
        }
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(Path::getFileName).map(Path::toString).sorted(Comparator.naturalOrder()))
                    .isEqualTo(List.of("in.csv", "job.yaml"));
        }
    }
}
